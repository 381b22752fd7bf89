/* Random matches of Sock Monsters in C: the algorithm of services/engine/games/sock_monsters, line
 * for line. */
#include "reference.h"
#include "sock_monsters_layout.h"

enum { NO_SEAT = -1 };

/* --- where figures go ------------------------------------------------------------------------- */

static word sides(word cells)
{
    return (((cells << 1) & NOT_COLUMN_A) | ((cells >> 1) & NOT_COLUMN_F) | cells << 6 |
            cells >> 6) &
           ALL_CELLS;
}

static word around(word cells)
{
    const word row = cells | ((cells << 1) & NOT_COLUMN_A) | ((cells >> 1) & NOT_COLUMN_F);
    return (row | row << 6 | row >> 6) & ALL_CELLS;
}

static bool can_move(const word *s, word colour)
{
    return (BESIDE[s[MONSTER + colour]] & ~s[OCCUPIED]) != 0;
}

static bool any_can_move(const word *s)
{
    return can_move(s, 0) || can_move(s, 1) || can_move(s, 2) || can_move(s, 3);
}

static word straight(word start, word free)
{
    word east = start, west = start, north = start, south = start, found = 0;
    for (int i = 0; i < 3; i++) {
        east = (east << 1) & NOT_COLUMN_A & free;
        west = (west >> 1) & NOT_COLUMN_F & free;
        north = (north << 6) & free;
        south = (south >> 6) & free;
        found |= east | west | north | south;
    }
    return found;
}

static word monster_targets(const word *s, word colour)
{
    const word free = ALL_CELLS & ~s[OCCUPIED], start = s[MONSTER + colour];
    if (s[GERMAN])
        return straight(BIT[start], free);
    const word near = BESIDE[start] & free, far = near | (sides(near) & free);
    return far | (sides(far) & free);
}

static word pawn_targets(const word *s, word seat)
{
    const word start = s[PAWN + seat], free = ALL_CELLS & ~(s[OCCUPIED] | LAIR_CELLS);
    const word near = AROUND[start] & free;
    if (near == 0) {
        const word cells = around(AROUND[start] & ~LAIR_CELLS) & ~LAIR_CELLS;
        return (around(cells) & free) | BIT[start];
    }
    return (around(around(near) & free) & free) | BIT[start];
}

static word peek_targets(const word *s)
{
    return BESIDE[s[MONSTER + s[COLOUR]]] & ~(s[OCCUPIED] | s[FACE_UP] | LAIR_CELLS);
}

/* --- what is legal ---------------------------------------------------------------------------- */

static bool may_rob(const word *s, word victim)
{
    if (s[LOOSE + victim] == 0)
        return false;
    if (victim == s[TURN] && (s[SELF] == 0 || s[GERMAN]))
        return false;
    const word monster = s[MONSTER + s[COLOUR]];
    const word reach = s[FOUR] ? BESIDE[monster] : AROUND[monster];
    return reach >> s[PAWN + victim] & 1;
}

static bool may_steal(const word *s, word victim, word sock)
{
    const word own = SOCKS + KINDS * victim;
    if (s[own + sock] == 0 || (sock != SMELLY && s[own + SMELLY] > 0))
        return false;
    return may_rob(s, victim);
}

static bool may_go_on(const word *s)
{
    return s[COUNT] < MOST_MOVES && can_move(s, s[COLOUR]);
}

static bool awake_can_act(const word *s)
{
    if (may_go_on(s) || peek_targets(s) != 0)
        return true;
    for (word victim = 0; victim < s[SEATS]; victim++)
        if (may_rob(s, victim))
            return true;
    return false;
}

static bool may_throw(const word *s, word target)
{
    if (s[THROWS] <= 0 || target == s[TURN] || s[LOOSE + target] == 0)
        return false;
    const word mine = s[PAWN + s[TURN]], theirs = s[PAWN + target];
    return mine / 6 == theirs / 6 || mine % 6 == theirs % 6;
}

static bool beside_lair(const word *s, word colour)
{
    return BESIDE[LAIR_CELL[colour]] >> s[PAWN + s[TURN]] & 1;
}

static bool may_take_from_lair(const word *s, word colour, word sock)
{
    if (s[GERMAN] && s[FROM_LAIR] == 0)
        return false;
    return s[LAIR + KINDS * colour + sock] > 0 && beside_lair(s, colour);
}

static bool may_take_from_bag(const word *s)
{
    if (s[GERMAN] == 0 || s[FROM_LAIR] || s[BAG_TOTAL] == 0)
        return false;
    if (s[TOKENS_USED] && s[TOKENS + s[TURN]])
        return false;
    return (BESIDE[s[PAWN + s[TURN]]] & LAIR_CELLS) != 0;
}

static bool may_give(const word *s, word sock)
{
    const word there = s[LAIR + KINDS * s[COLOUR] + sock];
    return sock == SMELLY ? there > 1 : there > 0;
}

static bool may_pair(const word *s, word seat, word sock)
{
    const word own = SOCKS + KINDS * seat;
    return s[own + RAINBOW] > (sock == RAINBOW ? 1 : 0) && s[own + sock] > 0;
}

static bool can_pair(const word *s, word seat)
{
    const word own = SOCKS + KINDS * seat, rainbows = s[own + RAINBOW];
    if (rainbows == 0)
        return false;
    return rainbows > 1 || s[LOOSE + seat] > 1 + s[own + SMELLY] + s[own + BOOMERANG];
}

static word pairing_seat(const word *s)
{
    const word phase = s[PHASE];
    if (s[SILLY] == 0 || phase < P_GIFT || phase > P_TAKE)
        return NO_SEAT;
    if (phase >= P_PICK)
        return s[TURN];
    if (phase == P_RAINBOW || s[WHO] == s[TURN])
        return s[WHO];
    return NO_SEAT;
}

static bool is_legal_act(const word *s, word action)
{
    if (action == A_LIFT)
        return true;
    if (action == A_PASS)
        return s[GERMAN] == 0;
    if (action == A_BAG)
        return may_take_from_bag(s);
    if (A_LAIR <= action && action < A_BAG)
        return may_take_from_lair(s, (action - A_LAIR) / KINDS, (action - A_LAIR) % KINDS);
    return A_THROW <= action && action < A_THROW + s[SEATS] && may_throw(s, action - A_THROW);
}

static bool is_legal_open(const word *s, word action)
{
    if (A_PEEK <= action && action < A_STEAL)
        return peek_targets(s) >> (action - A_PEEK) & 1;
    if (A_STEAL <= action && action < A_STEAL + KINDS * s[SEATS])
        return may_steal(s, (action - A_STEAL) / KINDS, (action - A_STEAL) % KINDS);
    if (action == A_GO)
        return may_go_on(s);
    return action == A_PASS && s[GERMAN];
}

static bool is_legal(const word *s, word action)
{
    const word phase = s[PHASE];
    if (A_PAIR <= action && action < A_KEEP) {
        const word seat = pairing_seat(s);
        return seat != NO_SEAT && may_pair(s, seat, action - A_PAIR);
    }
    if (phase == P_ACT)
        return is_legal_act(s, action);
    if (phase == P_OPEN)
        return is_legal_open(s, action);
    if (phase == P_RAINBOW)
        return action == A_KEEP;
    if (phase == P_PICK)
        return A_PICK <= action && action < A_MOVE && can_move(s, action - A_PICK);
    if (phase == P_PLACE)
        return A_PLACE <= action && action < A_PICK &&
               (s[OCCUPIED] >> CENTRE_CELL[action - A_PLACE] & 1) == 0;
    if (phase == P_TAKE)
        return A_TAKE <= action && action < A_GIFT &&
               s[SOCKS + KINDS * s[WHO] + action - A_TAKE] > 0;
    if (phase == P_GIFT)
        return A_GIFT <= action && action < A_LIFT && may_give(s, action - A_GIFT);
    return false;
}

static word list_tested(const word *s, word begin, word end, word n, word *out)
{
    for (word action = begin; action < end; action++)
        if (is_legal(s, action))
            out[n++] = action;
    return n;
}

static word list_cells(word cells, word base, word *out)
{
    word n = 0;
    for (word cell = 0; cell < CELLS; cell++)
        if (cells >> cell & 1)
            out[n++] = base + cell;
    return n;
}

static word list_open(const word *s, word *out)
{
    word n = list_cells(peek_targets(s), A_PEEK, out);
    for (word victim = 0; victim < s[SEATS]; victim++)
        if (may_rob(s, victim)) {
            const word first = A_STEAL + KINDS * victim;
            n = list_tested(s, first, first + KINDS, n, out);
        }
    if (may_go_on(s))
        out[n++] = A_GO;
    if (s[GERMAN])
        out[n++] = A_PASS;
    return n;
}

static word list_act(const word *s, word *out)
{
    word n = 0;
    if (s[THROWS])
        n = list_tested(s, A_THROW, A_THROW + s[SEATS], n, out);
    out[n++] = A_LIFT;
    if (BESIDE[s[PAWN + s[TURN]]] & LAIR_CELLS)
        for (word colour = 0; colour < 4; colour++)
            if (beside_lair(s, colour)) {
                const word first = A_LAIR + KINDS * colour;
                n = list_tested(s, first, first + KINDS, n, out);
            }
    if (may_take_from_bag(s))
        out[n++] = A_BAG;
    if (s[GERMAN] == 0)
        out[n++] = A_PASS;
    return n;
}

static word legal(const word *s, word *out)
{
    const word phase = s[PHASE];
    word n = 0;
    if (phase == P_MOVE)
        n = list_cells(monster_targets(s, s[COLOUR]), A_MOVE, out);
    else if (phase == P_PAWN)
        n = list_cells(pawn_targets(s, s[TURN]), A_PAWN, out);
    else if (phase == P_ACT)
        n = list_act(s, out);
    else if (phase == P_OPEN)
        n = list_open(s, out);
    else if (phase == P_PICK)
        n = list_tested(s, A_PICK, A_MOVE, n, out);
    else if (phase == P_PLACE)
        n = list_tested(s, A_PLACE, A_PICK, n, out);
    else if (phase == P_TAKE)
        n = list_tested(s, A_TAKE, A_GIFT, n, out);
    else if (phase == P_GIFT)
        n = list_tested(s, A_GIFT, A_LIFT, n, out);
    if (s[SILLY]) {
        n = list_tested(s, A_PAIR, A_KEEP, n, out);
        if (phase == P_RAINBOW)
            out[n++] = A_KEEP;
    }
    return n;
}

/* --- gains ------------------------------------------------------------------------------------ */

static void gain(word *s, word seat, word sock);
static void start_draw(word *s, word seat);

static void end(word *s, word phase)
{
    s[PHASE] = phase;
    s[WHO] = -1;
    s[COLOUR] = -1;
    s[COUNT] = 0;
    s[THROWS] = 0;
    s[THEN] = T_NONE;
    s[THEN_SEAT] = -1;
}

static void end_turn(word *s)
{
    const word following = (s[TURN] + 1) % s[SEATS];
    if (following == s[FIRST]) {
        if (s[ROUND] >= s[CAP]) {
            end(s, P_ROUND_CAP);
            return;
        }
        s[ROUND]++;
    }
    s[TURN] = following;
    s[PHASE] = P_ROLL;
}

static void go_on(word *s);

static void draw_socks(word *s, word seat, word socks)
{
    s[WHO] = seat;
    if (socks > s[BAG_TOTAL])
        socks = s[BAG_TOTAL];
    if (socks == 0) {
        go_on(s);
        return;
    }
    s[COUNT] = socks;
    s[PHASE] = P_DRAW;
}

static void go_on(word *s)
{
    const word then = s[THEN], seat = s[THEN_SEAT];
    word who = s[WHO];
    s[WHO] = -1;
    s[THEN] = T_NONE;
    s[THEN_SEAT] = -1;
    if (then == T_END) {
        end_turn(s);
    } else if (then == T_PAWN) {
        s[PHASE] = P_PAWN;
    } else if (then == T_START) {
        who = (who + 1) % s[SEATS];
        if (who == s[FIRST]) {
            s[WHO] = who;
            s[PHASE] = P_PLACE;
        } else {
            start_draw(s, who);
        }
    } else if (then == T_GIFT) {
        s[THEN] = T_PAWN;
        draw_socks(s, seat, 1);
    } else if (then == T_BOOMERANG) {
        s[SOCKS + KINDS * s[TURN] + BOOMERANG]--;
        s[LOOSE + s[TURN]]--;
        s[THEN] = T_ACT;
        gain(s, seat, BOOMERANG);
    } else {
        s[PHASE] = P_ACT;
    }
}

static void start_draw(word *s, word seat)
{
    word socks = s[START] - 1;
    if (socks < 0)
        socks = s[GERMAN] ? 0 : 1;
    s[THEN] = T_START;
    draw_socks(s, seat, socks);
}

static void gain(word *s, word seat, word sock)
{
    const word own = SOCKS + KINDS * seat;
    s[own + sock]++;
    s[LOOSE + seat]++;
    for (word colour = 0; colour < COLOURS; colour++)
        if (s[own + colour] > 1) {
            s[own + colour] -= 2;
            s[LOOSE + seat] -= 2;
            s[PAIRS + PAIR_KINDS * seat + colour]++;
            s[PAIRED + seat]++;
        }
    if (s[PAIRED + seat] >= PAIRS_TO_WIN) {
        end(s, P_THREE_PAIRS);
        return;
    }
    s[WHO] = seat;
    if (can_pair(s, seat))
        s[PHASE] = P_RAINBOW;
    else
        go_on(s);
}

static void drawn_sock(word *s, word sock)
{
    s[BAG + sock]--;
    s[BAG_TOTAL]--;
    s[COUNT]--;
    if (s[COUNT]) {
        s[SOCKS + KINDS * s[WHO] + sock]++;
        s[LOOSE + s[WHO]]++;
    } else {
        gain(s, s[WHO], sock);
    }
}

static void pair(word *s, word seat, word sock)
{
    const word own = SOCKS + KINDS * seat;
    s[own + RAINBOW]--;
    s[own + sock]--;
    s[LOOSE + seat] -= 2;
    s[PAIRS + PAIR_KINDS * seat + COLOURS + sock]++;
    s[PAIRED + seat]++;
    if (s[PAIRED + seat] >= PAIRS_TO_WIN)
        end(s, P_THREE_PAIRS);
    else if (s[PHASE] == P_RAINBOW && !can_pair(s, seat))
        go_on(s);
}

/* --- actions ---------------------------------------------------------------------------------- */

static void to_pawn(word *s)
{
    s[COLOUR] = -1;
    s[COUNT] = 0;
    s[PHASE] = P_PAWN;
}

static void steal(word *s, word victim, word sock)
{
    s[SOCKS + KINDS * victim + sock]--;
    s[LOOSE + victim]--;
    if (s[GERMAN] && s[FROM_LAIR] == 0) {
        s[COLOUR] = -1;
        s[COUNT] = 0;
        s[THEN] = T_PAWN;
        if (sock == SMELLY) {
            s[THEN] = T_GIFT;
            s[THEN_SEAT] = victim;
        }
        gain(s, s[TURN], sock);
        return;
    }
    const word lair = LAIR + KINDS * s[COLOUR];
    s[lair + sock]++;
    if (sock != SMELLY) {
        to_pawn(s);
        return;
    }
    word others = -1;
    for (word kind = 0; kind < KINDS; kind++)
        others += s[lair + kind];
    s[COUNT] = 0;
    if (others > 0) {
        s[WHO] = victim;
        s[PHASE] = P_GIFT;
    } else {
        s[COLOUR] = -1;
        s[THEN] = T_PAWN;
        draw_socks(s, victim, 1);
    }
}

static void act_awake(word *s, word action)
{
    if (action == A_GO) {
        s[PHASE] = P_MOVE;
    } else if (A_STEAL <= action && action < A_GO) {
        steal(s, (action - A_STEAL) / KINDS, (action - A_STEAL) % KINDS);
    } else {
        if (action < A_STEAL) {
            s[SHOWN] = action - A_PEEK;
            s[SHOWN_TO] = s[TURN];
            s[SEEN + s[TURN]] |= BIT[s[SHOWN]];
        }
        to_pawn(s);
    }
}

static void lift(word *s)
{
    const word turn = s[TURN], cell = s[PAWN + turn], tile = s[TILE + cell];
    const word token = BIT[tile % 4];
    const bool face_down = (s[FACE_UP] >> cell & 1) == 0;
    word socks = 0;
    s[SHOWN] = cell;
    s[SHOWN_TO] = EVERYBODY;
    if (tile / 4 == turn && face_down) {
        if (s[TOKENS + turn] & token) {
            s[TOKENS + turn] ^= token;
            s[FACE_UP] |= BIT[cell];
            socks = s[GERMAN] ? 1 : 2;
        } else if (s[GERMAN] == 0) {
            s[FACE_UP] |= BIT[cell];
        }
    }
    for (word viewer = 0; viewer <= EVERYBODY; viewer++)
        if (viewer < s[SEATS] || viewer == EVERYBODY)
            s[SEEN + viewer] |= BIT[cell];
    draw_socks(s, turn, socks);
}

static void act(word *s, word action)
{
    if (action < A_LIFT) {
        s[THROWS]--;
        s[WHO] = action - A_THROW;
        s[PHASE] = P_THROW;
        return;
    }
    s[THROWS] = 0;
    s[THEN] = T_END;
    if (action == A_LIFT) {
        lift(s);
    } else if (A_LAIR <= action && action < A_BAG) {
        s[LAIR + action - A_LAIR]--;
        gain(s, s[TURN], (action - A_LAIR) % KINDS);
    } else if (action == A_BAG) {
        draw_socks(s, s[TURN], 1);
    } else {
        go_on(s);
    }
}

static void move_figure(word *s, word at, word cell)
{
    s[OCCUPIED] ^= BIT[s[at]] | BIT[cell];
    s[at] = cell;
}

static void move_pawn(word *s, word cell)
{
    const word turn = s[TURN];
    if (s[PAWN + turn] != cell)
        move_figure(s, PAWN + turn, cell);
    if (s[SILLY])
        s[THROWS] = s[SOCKS + KINDS * turn + BOOMERANG];
    s[PHASE] = P_ACT;
}

static void place(word *s, word cell)
{
    s[PAWN + s[WHO]] = cell;
    s[OCCUPIED] |= BIT[cell];
    s[WHO] = (s[WHO] + 1) % s[SEATS];
    if (s[WHO] == s[FIRST]) {
        s[WHO] = -1;
        s[TURN] = s[FIRST];
        s[ROUND] = 1;
        s[PHASE] = s[GERMAN] ? P_ROLL : P_PAWN;
    }
}

static void rolled(word *s, word face)
{
    if (face >= 4) {
        s[PHASE] = any_can_move(s) ? P_PICK : P_PAWN;
    } else if (can_move(s, face)) {
        s[COLOUR] = face;
        s[PHASE] = P_MOVE;
    } else {
        s[PHASE] = P_PAWN;
    }
}

static void deal(word *s, word tile)
{
    s[TILE + ROOM_CELL[s[DEALT]]] = tile;
    s[POOL + tile]--;
    s[DEALT]++;
    if (s[DEALT] == ROOMS)
        s[PHASE] = P_FIRST;
}

static void apply_chance(word *s, word phase, word action)
{
    if (phase == P_EYE) {
        s[PHASE] = P_OPEN;
        if (action != A_EYE_OPEN || !awake_can_act(s))
            to_pawn(s);
    } else if (phase == P_ROLL) {
        rolled(s, action - A_ROLL);
    } else if (phase == P_DRAW) {
        drawn_sock(s, action - A_DRAW);
    } else if (phase == P_DEAL) {
        deal(s, action - A_DEAL);
    } else if (phase == P_THROW) {
        if (action == A_ROLL_ANY) {
            s[PHASE] = P_TAKE;
        } else {
            s[WHO] = -1;
            s[PHASE] = P_ACT;
        }
    } else {
        s[FIRST] = action - A_FIRST;
        start_draw(s, s[FIRST]);
    }
}

static void apply(word *s, word action)
{
    const word phase = s[PHASE];
    if (action < A_PLACE) {
        apply_chance(s, phase, action);
        return;
    }
    s[SHOWN] = -1;
    s[SHOWN_TO] = -1;
    if (A_PAIR <= action && action < A_KEEP) {
        pair(s, phase == P_RAINBOW ? s[WHO] : s[TURN], action - A_PAIR);
        if (s[PHASE] == P_OPEN && !awake_can_act(s))
            to_pawn(s);
    } else if (phase == P_PAWN) {
        move_pawn(s, action - A_PAWN);
    } else if (phase == P_MOVE) {
        move_figure(s, MONSTER + s[COLOUR], action - A_MOVE);
        s[COUNT]++;
        s[PHASE] = P_EYE;
    } else if (phase == P_ACT) {
        act(s, action);
    } else if (phase == P_OPEN) {
        act_awake(s, action);
    } else if (phase == P_PICK) {
        s[COLOUR] = action - A_PICK;
        s[PHASE] = P_MOVE;
    } else if (phase == P_RAINBOW) {
        go_on(s);
    } else if (phase == P_PLACE) {
        place(s, CENTRE_CELL[action - A_PLACE]);
    } else if (phase == P_TAKE) {
        const word target = s[WHO];
        s[SOCKS + KINDS * target + action - A_TAKE]--;
        s[LOOSE + target]--;
        s[THEN] = T_BOOMERANG;
        s[THEN_SEAT] = target;
        gain(s, s[TURN], action - A_TAKE);
    } else {
        s[LAIR + KINDS * s[COLOUR] + action - A_GIFT]--;
        s[COLOUR] = -1;
        s[THEN] = T_PAWN;
        gain(s, s[WHO], action - A_GIFT);
    }
}

/* --- playouts --------------------------------------------------------------------------------- */

static word kind_of(const word *s, word counts, word rank)
{
    word kind = 0;
    while (rank >= s[counts + kind])
        rank -= s[counts + kind++];
    return kind;
}

static word drawn_cell(const word *s, word cells, word base, word *rng)
{
    const word seat = pairing_seat(s);
    if (seat == NO_SEAT)
        for (;;) {
            const word choice = draw(rng, CELLS);
            if (cells >> choice & 1)
                return base + choice;
        }
    for (;;) {
        const word choice = draw(rng, CELLS + A_KEEP - A_PAIR);
        if (choice < CELLS) {
            if (cells >> choice & 1)
                return base + choice;
        } else if (may_pair(s, seat, choice - CELLS)) {
            return A_PAIR + choice - CELLS;
        }
    }
}

static word choose(const word *s, word *rng, word *out)
{
    const word phase = s[PHASE];
    if (phase == P_MOVE)
        return drawn_cell(s, monster_targets(s, s[COLOUR]), A_MOVE, rng);
    if (phase == P_PAWN)
        return drawn_cell(s, pawn_targets(s, s[TURN]), A_PAWN, rng);
    if (phase == P_EYE)
        return draw(rng, 6) < s[EYE_OPEN] ? A_EYE_OPEN : A_EYE_CLOSED;
    if (phase == P_DRAW)
        return A_DRAW + kind_of(s, BAG, draw(rng, s[BAG_TOTAL]));
    if (phase == P_DEAL)
        return A_DEAL + kind_of(s, POOL, draw(rng, ROOMS - s[DEALT]));
    if (phase == P_FIRST)
        return A_FIRST + draw(rng, s[SEATS]);
    if (phase <= P_THROW) {
        const word face = draw(rng, 6);
        return face < 4 ? A_ROLL + face : A_ROLL_ANY;
    }
    return out[draw(rng, legal(s, out))];
}

static word drawn(word *s, word *rng, word *out)
{
    const word action = choose(s, rng, out);
    apply(s, action);
    return action;
}

static word listed(word *s, word *rng, word *out)
{
    const word action =
        s[PHASE] <= P_THROW ? choose(s, rng, out) : out[draw(rng, legal(s, out))];
    apply(s, action);
    return action;
}

static bool over(const word *s)
{
    return s[PHASE] > P_TAKE;
}

int main(int argc, char **argv)
{
    return play_matches(argc, argv);
}
