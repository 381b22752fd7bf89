/* Monster Hide and Seek with three types and two seats as what both seats know: cards, boards and
 * their canonical keys. hide_and_seek.c says what is solved and how. */
#ifndef HIDE_AND_SEEK_H
#define HIDE_AND_SEEK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A card as it is known: 0 none, 1-3 shows type 0-2 and hides something unknown, 4-12 shows and
 * hides 4 + 3 shown + hidden. */
enum { GAP = 0, KNOWN = 4, CODES = 13, CANDY = 13, MOST = 9, KINDS = 6, PERMS = 6 };

static const int PERM[PERMS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static const int KIND[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
static const int COPIES[KINDS] = {1, 2, 2, 1, 2, 1}; /* RULINGS 3.1 */

/* Numbers of cards by kind, two bits each. */
#define ONE(kind) (1 << 2 * (kind))
#define HAS(counts, kind) ((counts) >> 2 * (kind) & 3)
enum { DECK = 1 | 2 << 2 | 2 << 4 | 1 << 6 | 2 << 8 | 1 << 10, COUNTS = 1 << 12 };
enum { DOUBLES = 1 | 1 << 6 | 1 << 10 };

static inline bool known(int code) { return code >= KNOWN; }
static inline int shown(int code) { return known(code) ? (code - KNOWN) / 3 : code - 1; }
static inline int hidden(int code) { return (code - KNOWN) % 3; }
static inline int card(int up, int down) { return KNOWN + 3 * up + down; }
static inline int turned(int code) { return card(hidden(code), shown(code)); }
static inline int kind_of(int code) { return KIND[shown(code)][hidden(code)]; }

/* --- in how many ways the unseen cards can lie ------------------------------------------------ */

static double ways_table[COUNTS][10][10];

static double count_ways(int unseen, int a, int b, int c)
{
    if (a + b + c == 0)
        return unseen == 0;
    if (a < 0 || b < 0 || c < 0)
        return 0;
    double *slot = &ways_table[unseen][a][b];
    if (*slot >= 0)
        return *slot;
    const int up = a > 0 ? 0 : b > 0 ? 1 : 2;
    double sum = 0;
    for (int down = 0; down < 3; down++) {
        const int kind = KIND[up][down], copies = HAS(unseen, kind);
        if (copies)
            sum += copies * (up == down ? 2 : 1) *
                   count_ways(unseen - ONE(kind), a - (up == 0), b - (up == 1), c - (up == 2));
    }
    return *slot = sum;
}

/* --- boards ----------------------------------------------------------------------------------- */

/* Cards that differ in no way that matters are alike: with a candy on the table those on its lines
 * count in their order, gaps left out (RULINGS 3.6), all others are a heap; without one all are.
 * Words 0-2 hold lines, the nearest card in the low four bits, word 3 the heap of at most four;
 * without a candy the heap is `heap`, four bits of number for each code. */
typedef struct {
    int n, unknown;
    bool candy;
    int code[MOST], word[MOST], place[MOST];
    uint16_t words[4];
    uint64_t heap;
    int gone, unseen, need[3];
} board;

static uint8_t permuted_byte[PERMS][256];
static uint16_t permuted_gone[PERMS][COUNTS], sorted_heap[PERMS][65536];
static int permuted_code[PERMS][CODES];

static void make_tables(void)
{
    for (int i = 0; i < COUNTS; i++)
        for (int a = 0; a < 10; a++)
            for (int b = 0; b < 10; b++)
                ways_table[i][a][b] = -1;
    for (int p = 0; p < PERMS; p++) {
        const int *to = PERM[p];
        for (int code = 1; code < CODES; code++)
            permuted_code[p][code] =
                known(code) ? card(to[shown(code)], to[hidden(code)]) : 1 + to[code - 1];
        for (int i = 0; i < 256; i++)
            permuted_byte[p][i] = (i & 15) < CODES && (i >> 4) < CODES
                ? permuted_code[p][i & 15] | permuted_code[p][i >> 4] << 4 : 0;
        for (int i = 0; i < COUNTS; i++)
            for (int a = 0; a < 3; a++)
                for (int b = a; b < 3; b++)
                    permuted_gone[p][i] |= HAS(i, KIND[a][b]) << 2 * KIND[to[a]][to[b]];
        for (int i = 0; i < 65536; i++) {
            int cards[4], n = 0;
            for (int j = 0; j < 4; j++) {
                const int code = i >> 4 * j & 15;
                if (code == GAP || code >= CODES)
                    continue;
                int at = n++;
                for (; at > 0 && cards[at - 1] > permuted_code[p][code]; at--)
                    cards[at] = cards[at - 1];
                cards[at] = permuted_code[p][code];
            }
            for (int j = 0; j < n; j++)
                sorted_heap[p][i] |= cards[j] << 4 * j;
        }
    }
}

static inline uint16_t permute(int p, uint16_t word)
{
    return permuted_byte[p][word & 255] | permuted_byte[p][word >> 8] << 8;
}

static inline uint64_t pack(uint16_t a, uint16_t b, uint16_t c, uint16_t heap, int gone)
{
    uint16_t swap;
    if (a < b) { swap = a; a = b; b = swap; }
    if (b < c) { swap = b; b = c; c = swap; }
    if (a < b) { swap = a; a = b; b = swap; }
    return (uint64_t)gone << 44 | (uint64_t)a << 28 | (uint64_t)b << 20 | (uint64_t)c << 16 | heap;
}

/* The smallest of the keys under all renamings of the three types. */
static inline uint64_t canonical(const uint16_t words[4], int gone)
{
    uint64_t best = UINT64_MAX;
    for (int p = 0; p < PERMS; p++) {
        const uint64_t key = pack(permute(p, words[0]), permute(p, words[1]), permute(p, words[2]),
                                  sorted_heap[p][words[3]], permuted_gone[p][gone]);
        if (key < best)
            best = key;
    }
    return best;
}

static inline uint64_t in_heap(int code) { return UINT64_C(1) << 4 * (code - 1); }

static uint64_t canonical_heap(uint64_t heap, int gone)
{
    uint64_t best = UINT64_MAX;
    for (int p = 0; p < PERMS; p++) {
        uint64_t key = (uint64_t)permuted_gone[p][gone] << 48;
        for (int code = 1; code < CODES; code++)
            key |= (heap >> 4 * (code - 1) & 15) << 4 * (permuted_code[p][code] - 1);
        if (key < best)
            best = key;
    }
    return best;
}

static inline uint64_t key_of(const board *b)
{
    return b->candy ? canonical(b->words, b->gone) : canonical_heap(b->heap, b->gone);
}

static void put(board *b, int word, int code)
{
    const int i = b->n++;
    int place = 0;
    while (b->words[word] >> 4 * place & 15)
        place++;
    b->code[i] = code;
    b->word[i] = word;
    b->place[i] = place;
    if (b->candy)
        b->words[word] |= code << 4 * place;
    else
        b->heap += in_heap(code);
    if (known(code)) {
        b->unseen -= ONE(kind_of(code));
    } else {
        b->unknown++;
        b->need[code - 1]++;
    }
}

static void clear(board *b, bool candy, int gone)
{
    memset(b, 0, sizeof *b);
    b->candy = candy;
    b->gone = gone;
    b->unseen = DECK - gone;
}

/* The key without candy says all about a board, and with one nearly: which line is which is lost. */
static void unpack(board *b, uint64_t key, bool candy)
{
    clear(b, candy, key >> (candy ? 44 : 48));
    if (candy) {
        const uint16_t words[4] = {key >> 28, key >> 20 & 255, key >> 16 & 15, key};
        for (int word = 0; word < 4; word++)
            for (int rest = words[word]; rest; rest >>= 4)
                put(b, word, rest & 15);
    } else {
        for (int code = 1; code < CODES; code++)
            for (int left = key >> 4 * (code - 1) & 15; left > 0; left--)
                put(b, 3, code);
    }
}

/* Change a card where it lies. */
static inline void replace(board *b, int i, int code)
{
    const int before = b->code[i];
    if (!known(before)) {
        b->unknown--;
        b->need[before - 1]--;
        b->unseen -= ONE(kind_of(code));
    }
    if (b->candy)
        b->words[b->word[i]] ^= (before ^ code) << 4 * b->place[i];
    else
        b->heap += in_heap(code) - in_heap(before);
    b->code[i] = code;
}

/* The key after both cards are collected. */
static uint64_t key_without(const board *b, int i, int j)
{
    const int gone = b->gone + ONE(kind_of(b->code[i])) + ONE(kind_of(b->code[j]));
    if (!b->candy)
        return canonical_heap(b->heap - in_heap(b->code[i]) - in_heap(b->code[j]), gone);
    uint16_t words[4];
    memcpy(words, b->words, sizeof words);
    if (b->word[i] == b->word[j] && b->place[i] < b->place[j]) {
        const int swap = i; /* the far one first, so that the near one keeps its place */
        i = j;
        j = swap;
    }
    for (int turn = 0; turn < 2; turn++) {
        const int at = turn ? j : i, low = 4 * b->place[at];
        const uint32_t word = words[b->word[at]];
        words[b->word[at]] = (word & ((1u << low) - 1)) | word >> (low + 4) << low;
    }
    return canonical(words, gone);
}

/* The chance that a card of which only the face up is known hides `down`. */
static inline double chance(const board *b, int up, int down)
{
    const int kind = KIND[up][down], copies = HAS(b->unseen, kind);
    if (copies == 0)
        return 0;
    const int *need = b->need;
    return copies * (up == down ? 2 : 1) *
           count_ways(b->unseen - ONE(kind), need[0] - (up == 0), need[1] - (up == 1),
                      need[2] - (up == 2)) /
           count_ways(b->unseen, need[0], need[1], need[2]);
}

#endif
