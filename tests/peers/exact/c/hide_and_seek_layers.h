/* Layers of states: found by their canonical keys, enumerated, kept in files. */
#ifndef HIDE_AND_SEEK_LAYERS_H
#define HIDE_AND_SEEK_LAYERS_H

#include "hide_and_seek.h"

enum { LEADS_MOST = 6 };
#define NO_SLOT UINT32_MAX

typedef struct {
    uint64_t *keys;
    float *first, *again; /* of the mover, by lead: at the start of a turn, after a match */
    uint32_t *slots, mask, number, room;
    int sweeps;
} layer;

static layer layers[2][MOST + 1][MOST + 1];
static int column;
static const char *folder;

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "hide_and_seek: %s: %s\n", what, which);
    exit(1);
}

static void *room(size_t number, size_t size)
{
    void *memory = calloc(number ? number : 1, size);
    if (!memory)
        fail("no memory", "");
    return memory;
}

/* Leads of the mover that can be, in steps of two stars: -n, -n + 2 … n, for n things taken. */
static int leads_of(int cards, bool candy) { return (MOST - cards) / 2 + !candy + 1; }
static bool has_again(int cards, bool candy) { return candy && cards < MOST; }
static int sign(int number) { return (number > 0) - (number < 0); }

/* --- finding states --------------------------------------------------------------------------- */

static uint32_t mix(uint64_t key) { return (key * UINT64_C(0x9E3779B97F4A7C15)) >> 32; }

static uint32_t slot_of(const layer *l, uint64_t key)
{
    uint32_t at = mix(key) & l->mask;
    while (l->slots[at] != NO_SLOT && l->keys[l->slots[at]] != key)
        at = (at + 1) & l->mask;
    return at;
}

static void index_layer(layer *l, uint32_t least)
{
    uint32_t size = 64;
    while (size / 2 < least)
        size *= 2;
    free(l->slots);
    l->slots = room(size, sizeof *l->slots);
    l->mask = size - 1;
    memset(l->slots, 0xFF, size * sizeof *l->slots);
    for (uint32_t i = 0; i < l->number; i++)
        l->slots[slot_of(l, l->keys[i])] = i;
}

static void add(layer *l, uint64_t key)
{
    if (l->number == l->room) {
        l->room = l->room ? 2 * l->room : 1024;
        l->keys = realloc(l->keys, l->room * sizeof *l->keys);
        if (!l->keys)
            fail("no memory", "for keys");
        index_layer(l, l->room);
    }
    const uint32_t slot = slot_of(l, key);
    if (l->slots[slot] == NO_SLOT) {
        l->slots[slot] = l->number;
        l->keys[l->number++] = key;
    }
}

static uint32_t find(const layer *l, uint64_t key)
{
    const uint32_t found = l->slots ? l->slots[slot_of(l, key)] : NO_SLOT;
    if (found == NO_SLOT)
        fail("a state was not enumerated", "a mistake in this program");
    return found;
}

/* --- enumerating a layer ---------------------------------------------------------------------- */

typedef struct {
    layer *into;
    int cards, unknown, lengths[4];
    board b;
} shape;

static void choose_gone(shape *s, int kind, int left, int gone)
{
    board *b = &s->b;
    if (kind == KINDS) {
        if (left)
            return;
        const int unseen = b->unseen - gone;
        if (count_ways(unseen, b->need[0], b->need[1], b->need[2]) == 0)
            return;
        b->gone = gone;
        const uint64_t key = key_of(b);
        const uint64_t own = b->candy
            ? pack(b->words[0], b->words[1], b->words[2], b->words[3], gone)
            : (uint64_t)gone << 48 | b->heap;
        if (key == own)
            add(s->into, key);
        return;
    }
    for (int copies = 0; copies <= HAS(b->unseen, kind) && copies <= left; copies++)
        choose_gone(s, kind + 1, left - copies, gone + copies * ONE(kind));
}

static void choose_cards(shape *s, int word, int place, int least)
{
    while (word < 4 && place == s->lengths[word]) {
        word++;
        place = 0;
        least = 1;
    }
    if (word == 4) {
        if (s->b.unknown == s->unknown)
            choose_gone(s, 0, MOST - s->cards, 0);
        return;
    }
    if (s->b.unknown + s->cards - s->b.n < s->unknown)
        return;
    for (int code = least; code < CODES; code++) {
        if (known(code) ? HAS(s->b.unseen, kind_of(code)) == 0 : s->b.unknown == s->unknown)
            continue;
        const board before = s->b;
        put(&s->b, word, code);
        choose_cards(s, word, place + 1, word == 3 ? code : 1);
        s->b = before;
    }
}

static void enumerate(layer *l, bool candy, int cards, int unknown)
{
    shape s = {.into = l, .cards = cards, .unknown = unknown};
    for (int a = candy ? 4 - column : 0; a >= 0; a--)
        for (int b = candy ? column : 0; b >= 0; b--)
            for (int c = candy ? 1 : 0; c >= 0; c--) {
                const int heap = cards - a - b - c;
                if (heap < 0 || (candy && heap > 4))
                    continue;
                s.lengths[0] = a, s.lengths[1] = b, s.lengths[2] = c, s.lengths[3] = heap;
                clear(&s.b, candy, 0);
                choose_cards(&s, 0, 0, 1);
            }
    index_layer(l, l->number);
}

/* --- files ------------------------------------------------------------------------------------ */

static FILE *open_layer(bool candy, int cards, int unknown, const char *mode, const char *end)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%c%d-%d-%d%s", folder, candy ? 'c' : 'p', candy ? column : 0,
             cards, unknown, end);
    return fopen(path, mode);
}

static bool load(layer *l, bool candy, int cards, int unknown)
{
    FILE *file = open_layer(candy, cards, unknown, "rb", "");
    if (!file)
        return false;
    const int n = leads_of(cards, candy);
    bool whole = fread(&l->number, sizeof l->number, 1, file) == 1 &&
                 fread(&l->sweeps, sizeof l->sweeps, 1, file) == 1;
    const size_t values = (size_t)l->number * n;
    l->keys = room(l->number, sizeof *l->keys);
    l->first = room(values, sizeof *l->first);
    whole = whole && fread(l->keys, sizeof *l->keys, l->number, file) == l->number &&
            fread(l->first, sizeof *l->first, values, file) == values;
    if (has_again(cards, candy)) {
        l->again = room(values, sizeof *l->again);
        whole = whole && fread(l->again, sizeof *l->again, values, file) == values;
    }
    fclose(file);
    if (!whole)
        fail("a layer's file is cut short; remove the folder", folder);
    index_layer(l, l->number);
    return true;
}

static void keep(const layer *l, bool candy, int cards, int unknown)
{
    char from[4200], to[4096];
    FILE *file = open_layer(candy, cards, unknown, "wb", ".part");
    const size_t values = (size_t)l->number * leads_of(cards, candy);
    if (!file || fwrite(&l->number, sizeof l->number, 1, file) != 1 ||
        fwrite(&l->sweeps, sizeof l->sweeps, 1, file) != 1 ||
        fwrite(l->keys, sizeof *l->keys, l->number, file) != l->number ||
        fwrite(l->first, sizeof *l->first, values, file) != values ||
        (l->again && fwrite(l->again, sizeof *l->again, values, file) != values) || fclose(file))
        fail("can't write to the folder", folder);
    snprintf(to, sizeof to, "%s/%c%d-%d-%d", folder, candy ? 'c' : 'p', candy ? column : 0, cards,
             unknown);
    snprintf(from, sizeof from, "%s.part", to);
    if (rename(from, to))
        fail("can't rename", from);
}

#endif
