/* Monster Hide and Seek with three types, two seats and perfect memory, solved exactly.
 *
 * All that is not known is unknown to both (RULINGS 3.9), so what both know is a state, flips are
 * chance, and the mover's expected result is a number: 1 win, 0 shared, -1 loss. Options as by
 * default; the deal puts the candy into one column, or its mirror.
 *
 * What is known only grows. States therefore fall into layers by cards left, candy, and faces
 * unknown, each resting on the ones before it; within a layer only flips of two known cards lead
 * on. There the value is iterated until not one number changes. At first everything is worth what
 * the rules pay for idling until the cap (RULINGS 3.7), the lead as it stands, so the value after
 * k sweeps is that of k such turns at most.
 *
 *   solve COLUMN FOLDER MOST   layers with up to MOST (3, 5, 7, 9) cards; kept ones are not redone
 *   start COLUMN FOLDER        what the deals are worth to the first seat
 *   ask COLUMN FOLDER MOST     the worth of each action, for positions on standard input
 */
#include "hide_and_seek_layers.h"

enum { NOBODY = -1, ACTIONS = 11 };

/* --- what an action is worth ------------------------------------------------------------------ */

/* All worths are the mover's, one for each lead. */
static void after_match(const board *b, int i, int j, double *worth)
{
    const int n = leads_of(b->n, b->candy), left = b->n - 2;
    const int gone = b->gone + ONE(kind_of(b->code[i])) + ONE(kind_of(b->code[j]));
    if (left < 2 || DECK - gone == DOUBLES) { /* `normal`, or `deadlock`: RULINGS 3.7 */
        for (int lead = 0; lead < n; lead++)
            worth[lead] = sign(-n + 2 * (lead + 1));
        return;
    }
    const layer *l = &layers[b->candy][left][b->unknown];
    const float *from = (b->candy ? l->again : l->first) +
                        (size_t)find(l, key_without(b, i, j)) * (n + 1);
    for (int lead = 0; lead < n; lead++)
        worth[lead] = from[lead + 1];
}

static void others_turn(const board *b, double *worth)
{
    const int n = leads_of(b->n, b->candy);
    const layer *l = &layers[b->candy][b->n][b->unknown];
    const float *from = l->first + (size_t)find(l, key_of(b)) * n;
    for (int lead = 0; lead < n; lead++)
        worth[lead] = -from[n - 1 - lead];
}

/* `first` has been flipped, and now `i` is. */
static void second_flip(const board *b, int first, int i, double *worth)
{
    const int n = leads_of(b->n, b->candy), up = shown(b->code[i]);
    double one[LEADS_MOST];
    memset(worth, 0, n * sizeof *worth);
    for (int down = 0; down < 3; down++) {
        const bool open = known(b->code[i]);
        const double p = open ? hidden(b->code[i]) == down : chance(b, up, down);
        if (p == 0)
            continue;
        board after = *b;
        replace(&after, i, card(down, up));
        if (down == shown(b->code[first]))
            after_match(&after, first, i, one);
        else
            others_turn(&after, one);
        for (int lead = 0; lead < n; lead++)
            worth[lead] += p * one[lead];
    }
}

/* The same as a card before it: only heaps have no order. */
static bool twin(const board *b, int i, int other_than)
{
    for (int j = 0; b->word[i] == 3 && j < i; j++)
        if (j != other_than && b->word[j] == 3 && b->code[j] == b->code[i])
            return true;
    return false;
}

static void raise_to(double *worth, const double *by, int n)
{
    for (int lead = 0; lead < n; lead++)
        if (by[lead] > worth[lead])
            worth[lead] = by[lead];
}

/* The best second flip after `first`, an unknown card of `b`, turned up `down`; or if `first` is
 * known, the best by which the layer is left, with the keys of all else in `inside`. */
static void best_second(const board *b, int first, int down, double *worth, uint64_t *inside,
                        int *insides)
{
    const int n = leads_of(b->n, b->candy);
    const bool open = known(b->code[first]);
    double one[LEADS_MOST];
    board after = *b;
    replace(&after, first, card(down, shown(b->code[first])));
    for (int i = 0; i < b->n; i++) {
        if (i == first || twin(&after, i, first))
            continue;
        if (open && insides && known(b->code[i]) && hidden(b->code[i]) != down) {
            if (i < first)
                continue; /* the same the other way round */
            board both = after;
            replace(&both, i, turned(b->code[i]));
            inside[(*insides)++] = key_of(&both);
            continue;
        }
        second_flip(&after, first, i, one);
        raise_to(worth, one, n);
    }
}

static void first_flip(const board *b, int i, double *worth, uint64_t *inside, int *insides)
{
    const int n = leads_of(b->n, b->candy), code = b->code[i];
    double one[LEADS_MOST];
    for (int lead = 0; lead < n; lead++)
        worth[lead] = known(code) ? -2 : 0;
    if (known(code)) {
        best_second(b, i, hidden(code), worth, inside, insides);
        return;
    }
    for (int down = 0; down < 3; down++) {
        const double p = chance(b, shown(code), down);
        if (p == 0)
            continue;
        for (int lead = 0; lead < n; lead++)
            one[lead] = -2;
        best_second(b, i, down, one, NULL, NULL);
        for (int lead = 0; lead < n; lead++)
            worth[lead] += p * one[lead];
    }
}

static void turn_lines(const board *b, int word, double p, double *worth)
{
    const int n = leads_of(b->n, true);
    for (; word < 3; word++)
        if (b->words[word])
            break;
    if (word == 3) {
        board bare;
        double one[LEADS_MOST + 1];
        clear(&bare, false, b->gone);
        for (int i = 0; i < b->n; i++)
            put(&bare, 3, b->code[i]);
        others_turn(&bare, one); /* by the lead with the candy: one more of them */
        for (int lead = 0; lead < n; lead++)
            worth[lead] += p * one[lead + 1];
        return;
    }
    int i = 0;
    while (b->word[i] != word || b->place[i] != 0)
        i++;
    const int up = shown(b->code[i]);
    for (int down = 0; down < 3; down++) {
        const bool open = known(b->code[i]);
        const double q = open ? hidden(b->code[i]) == down : chance(b, up, down);
        if (q == 0)
            continue;
        board after = *b;
        replace(&after, i, card(down, up));
        turn_lines(&after, word + 1, p * q, worth);
    }
}

static void take_candy(const board *b, double *worth)
{
    memset(worth, 0, LEADS_MOST * sizeof *worth);
    turn_lines(b, 0, 1, worth);
}

/* --- solving a layer -------------------------------------------------------------------------- */

static void solve(layer *l, bool candy, int cards, int unknown)
{
    const int n = leads_of(cards, candy), open = cards - unknown, width = open * (open - 1) / 2;
    const size_t number = l->number;
    float *leave = room(number * n, sizeof *leave), *flips = leave;
    uint32_t *inside = room(number * width, sizeof *inside);
    if (candy)
        flips = room(number * n, sizeof *flips);
    l->first = room(number * n, sizeof *l->first);
#pragma omp parallel for schedule(dynamic, 256)
    for (size_t at = 0; at < number; at++) {
        board b;
        double best[LEADS_MOST], one[LEADS_MOST];
        uint64_t keys[MOST * MOST];
        int insides = 0;
        unpack(&b, l->keys[at], candy);
        for (int lead = 0; lead < n; lead++)
            best[lead] = -2;
        for (int i = 0; i < b.n; i++) {
            if (twin(&b, i, NOBODY) && !known(b.code[i]))
                continue; /* of two known ones alike both are needed: as a pair */
            first_flip(&b, i, one, keys, &insides);
            raise_to(best, one, n);
        }
        for (int lead = 0; lead < n; lead++)
            flips[at * n + lead] = best[lead];
        if (candy) {
            take_candy(&b, one);
            raise_to(best, one, n);
            for (int lead = 0; lead < n; lead++)
                leave[at * n + lead] = best[lead];
        }
        for (int i = 0; i < width; i++)
            inside[at * width + i] = i < insides ? find(l, keys[i]) : NO_SLOT;
        for (int lead = 0; lead < n; lead++)
            l->first[at * n + lead] = sign(-(n - 1) + 2 * lead);
    }
    float *next = room(number * n, sizeof *next);
    bool changed = true, last = false;
    while (!last) {
        last = !changed; /* once more for what comes after a match, which takes no candy */
        if (last && !has_again(cards, candy))
            break;
        changed = false;
        for (size_t at = 0; at < number; at++)
            for (int lead = 0; lead < n; lead++) {
                float best = (last ? flips : leave)[at * n + lead];
                for (int i = 0; i < width && inside[at * width + i] != NO_SLOT; i++) {
                    const float it = -l->first[(size_t)inside[at * width + i] * n + n - 1 - lead];
                    best = it > best ? it : best;
                }
                changed |= best != l->first[at * n + lead];
                next[at * n + lead] = best;
            }
        if (last) {
            l->again = next;
            next = NULL;
            break;
        }
        float *swap = l->first;
        l->first = next;
        next = swap;
        l->sweeps += changed;
    }
    free(next);
    free(inside);
    if (candy)
        free(leave);
    free(flips);
}

/* Load all layers of up to `most` cards; with `missing` make those that are not there. */
static void need_layers(int most, bool missing)
{
    for (int cards = 3; cards <= most; cards += 2)
        for (int candy = 0; candy < 2; candy++)
            for (int unknown = 0; unknown <= cards; unknown++) {
                layer *l = &layers[candy][cards][unknown];
                const bool kept = load(l, candy, cards, unknown);
                if (!kept && !missing)
                    fail("not solved yet", folder);
                if (!kept) {
                    enumerate(l, candy, cards, unknown);
                    solve(l, candy, cards, unknown);
                    keep(l, candy, cards, unknown);
                }
                if (!missing)
                    continue;
                printf("{\"cards\": %d, \"candy\": %s, \"unknown\": %d, \"states\": %u, "
                       "\"values\": %zu, \"sweeps\": %d, \"kept\": %s}\n",
                       cards, candy ? "true" : "false", unknown, l->number,
                       (size_t)l->number * leads_of(cards, candy) * (l->again ? 2 : 1), l->sweeps,
                       kept ? "true" : "false");
                fflush(stdout);
            }
}

/* --- questions -------------------------------------------------------------------------------- */

static void start(void)
{
    double ways = 0, sum = 0, squares = 0, least = 2, most = -2;
    const layer *l = &layers[1][MOST][MOST];
    for (int pattern = 0; pattern < 19683; pattern++) {
        board b;
        clear(&b, true, 0);
        for (int i = 0, rest = pattern; i < MOST; i++, rest /= 3)
            put(&b, i >= 5 ? 3 : i < column ? 1 : i < 4 ? 0 : 2, 1 + rest % 3);
        const double count = count_ways(DECK, b.need[0], b.need[1], b.need[2]);
        if (count == 0)
            continue;
        const double value = l->first[find(l, key_of(&b))];
        ways += count;
        sum += count * value;
        squares += count * value * value;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    const double mean = sum / ways;
    printf("{\"deals\": %.0f, \"mean\": %.9f, \"variance\": %.9f, \"least\": %.9f, "
           "\"most\": %.9f, \"positions\": %u}\n",
           ways, mean, squares / ways - mean * mean, least, most, l->number);
}

/* One position a line: first (at the start of a turn) or again, the cell flipped or -1, the
 * mover's lead in steps of two stars, cards gone by kind (AA AB AC BB BC CC), ten cells a1 … e2.
 * Answers the worth of flipping each cell and of the candy, `-` where that is not legal. */
static void answer(char *line)
{
    char phase[8];
    int flipped, lead, gone = 0, cells[10], index[10], at, length, candy = -1, n = 0;
    board b;
    if (sscanf(line, "%7s %d %d%n", phase, &flipped, &lead, &at) != 3)
        fail("no position", line);
    for (int i = 0; i < KINDS + 10; i++, at += length) {
        int number;
        if (sscanf(line + at, "%d%n", &number, &length) != 1 || number < 0 || number > CANDY)
            fail("no position", line);
        if (i < KINDS)
            gone += number * ONE(i);
        else if ((cells[i - KINDS] = number) == CANDY)
            candy = i - KINDS;
    }
    clear(&b, candy >= 0, gone);
    const int line_of[] = {-1, 1, 5}; /* left, right, the other row */
    for (int i = 0; i < 10; i++)
        index[i] = NOBODY;
    if (candy >= 0)
        for (int way = 0; way < 3; way++)
            for (int step = 1; step < 5; step++) {
                const int x = candy % 5 + (way < 2 ? step * line_of[way] : 0);
                const int cell = way < 2 ? candy - candy % 5 + x : (candy + 5) % 10;
                if (x < 0 || x > 4 || (way == 2 && step > 1))
                    break;
                if (cells[cell] != GAP) {
                    index[cell] = n++;
                    put(&b, way, cells[cell]);
                }
            }
    for (int i = 0; i < 10; i++)
        if (index[i] == NOBODY && cells[i] != GAP && cells[i] != CANDY) {
            index[i] = n++;
            put(&b, 3, cells[i]);
        }
    const bool again = strcmp(phase, "again") == 0;
    const int leads = leads_of(n, b.candy), slot = (lead + leads - 1) / 2;
    if (slot < 0 || slot >= leads)
        fail("no such lead", line);
    double worth[LEADS_MOST + 1];
    for (int i = 0; i < ACTIONS; i++) {
        const bool is_candy = i == 10;
        if (is_candy ? !b.candy || again || flipped >= 0 : index[i] == NOBODY || i == flipped) {
            printf("- ");
            continue;
        }
        if (is_candy)
            take_candy(&b, worth);
        else if (flipped >= 0)
            second_flip(&b, index[flipped], index[i], worth);
        else
            first_flip(&b, index[i], worth, NULL, NULL);
        printf("%.9f ", worth[slot]);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const bool all = argc == 4 && strcmp(argv[1], "start") == 0;
    const int most = argc == 5 ? atoi(argv[4]) : all ? MOST : 0;
    if (most < 3 || most > MOST || most % 2 == 0 || (column = atoi(argv[2])) < 0 || column > 2) {
        fprintf(stderr, "usage: hide_and_seek solve|start|ask COLUMN FOLDER [MOST]\n");
        return 2;
    }
    folder = argv[3];
    make_tables();
    need_layers(most, strcmp(argv[1], "solve") == 0);
    if (all)
        start();
    if (strcmp(argv[1], "ask") == 0) {
        static char line[4096];
        while (fgets(line, sizeof line, stdin))
            answer(line);
    }
    return 0;
}
