/* Random matches of Socker in C: the algorithm of services/engine/games/socker, line for line. */
#include "reference.h"
#include "socker_layout.h"

/* --- the board -------------------------------------------------------------------------------- */

static word possible(const word *s, word slot, word direction)
{
    const word to = NEIGHBOUR[s[CELL + slot] * 8 + direction], what = s[BOARD + to];
    if (what == EMPTY)
        return MOVE;
    if (what == WALL || s[BOARD + NEIGHBOUR[to * 8 + direction]] != EMPTY)
        return NOTHING;
    if (what == THE_BALL)
        return KICK;
    return (what > 5) == (slot > 4) ? NOTHING : SOCK;
}

static bool can_pick(const word *s, word centre, word distance, word cell)
{
    if (s[BOARD + cell] != EMPTY)
        return false;
    if (IS_EDGE[cell] && !(IS_GOAL[cell] && s[INTO_GOAL] == 1 && distance == 1))
        return false;
    const word across = llabs(cell % COLUMNS - centre % COLUMNS);
    const word along = llabs(cell / COLUMNS - centre / COLUMNS);
    return (across > along ? across : along) == distance;
}

static word pick_distance(const word *s, word centre)
{
    for (word distance = 1;; distance++)
        for (word cell = 0; cell < CELLS; cell++)
            if (can_pick(s, centre, distance, cell))
                return distance;
}

static void shift(word *s, word slot, word to)
{
    const word cell = s[CELL + slot];
    s[BOARD + cell] = EMPTY;
    s[BOARD + to] = slot + 1;
    s[CELL + slot] = to;
    s[slot > 4 ? EDGE + 1 : EDGE] += IS_EDGE[to] - IS_EDGE[cell];
}

static void put_ball(word *s, word cell)
{
    s[BOARD + cell] = THE_BALL;
    s[BALL] = cell;
}

static void lift_ball(word *s)
{
    s[BOARD + s[BALL]] = EMPTY;
    s[BALL] = OFF;
}

/* --- the edge limit --------------------------------------------------------------------------- */

static bool reaches(word *s, word left, word limit, bool goals);

static bool ball_reaches(word *s, word cell, word left, word limit, bool goals)
{
    if (IS_GOAL[cell])
        return goals;
    put_ball(s, cell);
    const bool found = reaches(s, left, limit, goals);
    lift_ball(s);
    return found;
}

static bool recentre_reaches(word *s, word side, word left, word limit, bool goals)
{
    const word centre = side - side % COLUMNS + CENTRE_COLUMN, what = s[BOARD + centre];
    if (what == EMPTY)
        return ball_reaches(s, centre, left, limit, goals);
    const bool own = (what > 5) == (s[MOVER] == 1);
    const word distance = pick_distance(s, centre);
    for (word cell = 0; cell < CELLS; cell++)
        if (can_pick(s, centre, distance, cell) &&
            ball_reaches(s, cell, left, limit, goals) == own)
            return own;
    return !own;
}

static bool line_reaches(word *s, word slot, word direction, word kind, word left, word limit,
                         bool goals)
{
    const word cell = s[CELL + slot], to = NEIGHBOUR[cell * 8 + direction];
    bool found;
    if (kind == MOVE) {
        shift(s, slot, to);
        found = reaches(s, left, limit, goals);
        shift(s, slot, cell);
        return found;
    }
    const word beyond = NEIGHBOUR[to * 8 + direction];
    if (kind == SOCK) {
        const word victim = s[BOARD + to] - 1;
        shift(s, victim, beyond);
        found = reaches(s, left, limit, goals);
        shift(s, victim, to);
        return found;
    }
    if (IS_GOAL[beyond])
        return goals;
    lift_ball(s);
    found = IS_EDGE[beyond] ? recentre_reaches(s, beyond, left, limit, goals)
                            : ball_reaches(s, beyond, left, limit, goals);
    put_ball(s, to);
    return found;
}

static bool reaches(word *s, word left, word limit, bool goals)
{
    const word mover = s[MOVER], above = s[EDGE + mover] - limit, first = mover * 5;
    if (above <= 0)
        return true;
    if (left == 0 || (above > left && !goals))
        return false;
    if (above == 1)
        for (word slot = first; slot < first + 5; slot++) {
            const word cell = s[CELL + slot];
            if (s[LYING + slot] || !IS_EDGE[cell])
                continue;
            for (word direction = 0; direction < 8; direction++) {
                const word to = NEIGHBOUR[cell * 8 + direction];
                if (s[BOARD + to] == EMPTY && !IS_EDGE[to])
                    return true;
            }
        }
    if (left == 1 && !goals)
        return false;
    for (word slot = first; slot < first + 5; slot++) {
        if (s[LYING + slot])
            continue;
        for (word direction = 0; direction < 8; direction++) {
            const word kind = possible(s, slot, direction);
            if (kind == NOTHING || (left == 1 && kind != KICK))
                continue;
            if (line_reaches(s, slot, direction, kind, left - 1, limit, goals))
                return true;
        }
    }
    return false;
}

static bool keeps_limit(word *s, word slot, word direction, word kind)
{
    word count = s[EDGE + s[MOVER]];
    if (kind == MOVE) {
        const word cell = s[CELL + slot];
        count += IS_EDGE[NEIGHBOUR[cell * 8 + direction]] - IS_EDGE[cell];
    }
    return count <= s[LIMIT] ||
           line_reaches(s, slot, direction, kind, s[LEFT] - 1, s[LIMIT], true);
}

static bool pick_keeps_limit(word *s, word cell)
{
    if (s[ACTOR] != s[MOVER] || s[EDGE + s[MOVER]] <= s[LIMIT] || IS_GOAL[cell])
        return true;
    put_ball(s, cell);
    const bool found = reaches(s, s[LEFT], s[LIMIT], true);
    lift_ball(s);
    return found;
}

static word limit_of_turn(word *s)
{
    const word mover = s[MOVER], count = s[EDGE + mover], first = mover * 5, left = s[LEFT] - 1;
    bool acts = false;
    for (word slot = first; slot < first + 5; slot++) {
        if (s[LYING + slot])
            continue;
        const word cell = s[CELL + slot];
        for (word direction = 0; direction < 8; direction++) {
            const word kind = possible(s, slot, direction);
            if (kind == NOTHING)
                continue;
            acts = true;
            if (kind == MOVE) {
                const word to = NEIGHBOUR[cell * 8 + direction];
                if (count + IS_EDGE[to] - IS_EDGE[cell] <= EDGE_LIMIT)
                    return EDGE_LIMIT;
            }
        }
    }
    if (!acts)
        return EDGE_LIMIT;
    for (word limit = EDGE_LIMIT; limit < 6; limit++)
        for (word slot = first; slot < first + 5; slot++) {
            if (s[LYING + slot])
                continue;
            for (word direction = 0; direction < 8; direction++) {
                const word kind = possible(s, slot, direction);
                if (kind != NOTHING && line_reaches(s, slot, direction, kind, left, limit, false))
                    return limit;
            }
        }
    return NO_LIMIT;
}

/* --- turns ------------------------------------------------------------------------------------ */

static void no_turn(word *s)
{
    s[MOVER] = 0;
    s[USED] = 0;
    s[LEFT] = 0;
    s[LIMIT] = EDGE_LIMIT;
    s[PICK] = OFF;
    s[SEEN] = 0;
}

static void clear(word *s)
{
    for (word i = 0; i < CELLS; i++)
        s[BOARD + i] = EMPTY;
    for (word i = 0; i < 10; i++) {
        s[CELL + i] = OFF;
        s[LYING + i] = 0;
    }
    s[PLACED] = s[PLACED + 1] = 0;
    s[EDGE] = s[EDGE + 1] = 0;
    put_ball(s, CENTRE);
    no_turn(s);
}

static void toss(word *s, word sudden)
{
    clear(s);
    s[PHASE] = TOSS;
    s[ACTOR] = CHANCE;
    s[SUDDEN] = sudden;
    s[SOCKERS] = sudden ? 2 : 5;
    s[TURNS] = s[TURNS + 1] = 0;
}

static void set_up(word *s, word first)
{
    clear(s);
    s[PHASE] = SETUP;
    s[MOVER] = first;
    s[ACTOR] = first;
}

static void finish(word *s, word reason)
{
    no_turn(s);
    s[PHASE] = OVER;
    s[ACTOR] = NOBODY;
    s[REASON] = reason;
}

static void order(word *a, word *b)
{
    if (*a > *b) {
        const word kept = *a;
        *a = *b;
        *b = kept;
    }
}

static word row_key(const word *s, word first)
{
    word k[5];
    for (word i = 0; i < 5; i++)
        k[i] = s[CELL + first + i] * 2 + s[LYING + first + i];
    order(&k[0], &k[1]);
    order(&k[3], &k[4]);
    order(&k[2], &k[4]);
    order(&k[2], &k[3]);
    order(&k[1], &k[4]);
    order(&k[0], &k[3]);
    order(&k[0], &k[2]);
    order(&k[1], &k[3]);
    order(&k[1], &k[2]);
    return k[0] + (k[1] << 8) + (k[2] << 16) + (k[3] << 24) + (k[4] << 32);
}

static bool see(word *s)
{
    word one = row_key(s, 0) + (s[BALL] << 40);
    if (s[IGNORES_MOVER] == 0)
        one += s[MOVER] << 48;
    const word two = row_key(s, 5), end = SEEN_WORDS + 2 * s[SEEN];
    for (word at = SEEN_WORDS; at < end; at += 2)
        if (s[at] == one && s[at + 1] == two)
            return false;
    s[end] = one;
    s[end + 1] = two;
    s[SEEN]++;
    return true;
}

static void start_turn(word *s, word seat)
{
    s[PHASE] = TURN;
    s[ACTOR] = seat;
    s[MOVER] = seat;
    s[USED] = 0;
    s[LEFT] = see(s) ? 3 : 4;
    s[LIMIT] = limit_of_turn(s);
}

static bool limit_reached(word *s)
{
    const bool fewer = s[TURNS] <= s[TURNS + 1];
    const word taken = s[fewer ? TURNS : TURNS + 1], most = s[fewer ? TURNS + 1 : TURNS];
    if (s[SUDDEN] == 1) {
        if (taken < s[SUDDEN_CAP])
            return false;
        finish(s, BY_DRAW);
        return true;
    }
    const word limit = s[TURN_LIMIT] > 0 ? s[TURN_LIMIT] : s[TURN_CAP];
    if (taken < limit && most < 2 * limit)
        return false;
    if (s[GOALS] == s[GOALS + 1])
        toss(s, 1);
    else
        finish(s, s[TURN_LIMIT] > 0 ? BY_TURN_LIMIT : BY_TURN_CAP);
    return true;
}

static void end_turn(word *s)
{
    const word mover = s[MOVER];
    for (word slot = mover * 5; slot < mover * 5 + 5; slot++)
        s[LYING + slot] = 0;
    s[TURNS + mover]++;
    if (!limit_reached(s))
        start_turn(s, 1 - mover);
}

static void score(word *s, word cell)
{
    const word scorer = cell < COLUMNS ? 1 : 0;
    s[GOALS + scorer]++;
    s[TURNS + s[MOVER]]++;
    put_ball(s, cell);
    if (s[SUDDEN] == 1)
        finish(s, BY_SUDDEN_DEATH);
    else if (s[TURN_LIMIT] == 0 && s[GOALS + scorer] >= s[GOALS_TO_WIN])
        finish(s, BY_GOALS);
    else if (!limit_reached(s))
        set_up(s, 1 - scorer);
}

/* --- actions ---------------------------------------------------------------------------------- */

static void act(word *s, word slot, word direction, word kind)
{
    const word to = NEIGHBOUR[s[CELL + slot] * 8 + direction];
    word beyond = NEIGHBOUR[to * 8 + direction];
    s[USED]++;
    s[LEFT]--;
    if (kind == MOVE) {
        shift(s, slot, to);
    } else if (kind == SOCK) {
        const word victim = s[BOARD + to] - 1;
        shift(s, victim, beyond);
        s[LYING + victim] = 1;
    } else {
        lift_ball(s);
        if (IS_GOAL[beyond]) {
            score(s, beyond);
            return;
        }
        if (IS_EDGE[beyond]) {
            const word centre = beyond - beyond % COLUMNS + CENTRE_COLUMN;
            const word what = s[BOARD + centre];
            if (what != EMPTY) {
                s[PHASE] = PICKING;
                s[PICK] = centre;
                s[ACTOR] = what > 5 ? 1 : 0;
                return;
            }
            beyond = centre;
        }
        put_ball(s, beyond);
    }
    if (s[LEFT] == 0)
        end_turn(s);
}

static void pick(word *s, word cell)
{
    s[PHASE] = TURN;
    s[PICK] = OFF;
    s[ACTOR] = s[MOVER];
    if (IS_GOAL[cell]) {
        score(s, cell);
        return;
    }
    put_ball(s, cell);
    if (s[LEFT] == 0)
        end_turn(s);
}

static void place(word *s, word cell)
{
    const word seat = s[ACTOR], slot = seat * 5 + s[PLACED + seat]++;
    s[CELL + slot] = cell;
    s[BOARD + cell] = slot + 1;
    s[EDGE + seat] += IS_EDGE[cell];
    if (s[PLACED + seat] == s[SOCKERS]) {
        if (seat == s[MOVER])
            s[ACTOR] = 1 - seat;
        else
            start_turn(s, s[MOVER]);
    }
}

static void apply(word *s, word action)
{
    if (action < PLACES) {
        const word entry = ENTRY[action % PAIRS];
        act(s, s[BOARD + entry / 8] - 1, entry % 8, action / PAIRS + 1);
    } else if (action < PICKS) {
        place(s, action - PLACES);
    } else if (action < END) {
        pick(s, action - PICKS);
    } else if (action < TOSSES) {
        end_turn(s);
    } else {
        set_up(s, action - TOSSES);
    }
}

static bool can_place(const word *s, word cell)
{
    const word seat = s[ACTOR];
    const word row = seat == 0 ? cell / COLUMNS : ROWS - 1 - cell / COLUMNS;
    if (row > 4 || s[BOARD + cell] != EMPTY)
        return false;
    const word column = cell % COLUMNS;
    if (row == 4 && column >= CENTRE_COLUMN - 1 && column <= CENTRE_COLUMN + 1)
        return false;
    return !IS_EDGE[cell] || s[EDGE + seat] < EDGE_LIMIT;
}

static bool can_end(const word *s)
{
    return s[USED] > 0 && s[EDGE + s[MOVER]] <= s[LIMIT];
}

static word legal_in_turn(word *s, word *out)
{
    const word first = s[MOVER] * 5;
    word n = 0;
    for (word slot = first; slot < first + 5; slot++) {
        if (s[LYING + slot])
            continue;
        for (word direction = 0; direction < 8; direction++) {
            const word kind = possible(s, slot, direction);
            if (kind != NOTHING && keeps_limit(s, slot, direction, kind))
                out[n++] = (kind - 1) * PAIRS + PAIR[s[CELL + slot] * 8 + direction];
        }
    }
    if (s[USED] > 0) {
        if (can_end(s))
            out[n++] = END;
    } else if (n == 0) {
        out[n++] = PASS;
    }
    return n;
}

static word legal(word *s, word *out)
{
    word n = 0;
    if (s[PHASE] == TURN)
        return legal_in_turn(s, out);
    if (s[PHASE] == SETUP) {
        for (word cell = 0; cell < CELLS; cell++)
            if (can_place(s, cell))
                out[n++] = PLACES + cell;
    } else if (s[PHASE] == PICKING) {
        const word distance = pick_distance(s, s[PICK]);
        for (word cell = 0; cell < CELLS; cell++)
            if (can_pick(s, s[PICK], distance, cell) && pick_keeps_limit(s, cell))
                out[n++] = PICKS + cell;
    } else if (s[PHASE] == TOSS) {
        out[n++] = TOSSES;
        out[n++] = TOSSES + 1;
    }
    return n;
}

/* --- playouts --------------------------------------------------------------------------------- */

static word listed(word *s, word *rng, word *out)
{
    const word action = out[draw(rng, legal(s, out))];
    apply(s, action);
    return action;
}

static word drawn(word *s, word *rng, word *out)
{
    if (s[PHASE] == TURN) {
        const word first = s[MOVER] * 5;
        for (word i = 0; i < 400; i++) {
            const word choice = draw(rng, 41);
            if (choice == 40) {
                if (!can_end(s))
                    continue;
                apply(s, END);
                return END;
            }
            const word slot = first + choice / 8, direction = choice % 8;
            if (s[LYING + slot])
                continue;
            const word kind = possible(s, slot, direction);
            if (kind == NOTHING || !keeps_limit(s, slot, direction, kind))
                continue;
            const word action = (kind - 1) * PAIRS + PAIR[s[CELL + slot] * 8 + direction];
            act(s, slot, direction, kind);
            return action;
        }
    } else if (s[PHASE] == SETUP) {
        for (word i = 0; i < 400; i++) {
            const word cell = draw(rng, CELLS);
            if (can_place(s, cell)) {
                apply(s, PLACES + cell);
                return PLACES + cell;
            }
        }
    }
    return listed(s, rng, out);
}

static bool over(const word *s)
{
    return s[PHASE] == OVER;
}

int main(int argc, char **argv)
{
    return play_matches(argc, argv);
}
