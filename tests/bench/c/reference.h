/* What both references share: words, the generator of services/engine/core/generator.py, and the
 * loop that plays matches and times them. A game includes its layout, which the benchmark writes
 * from the Python one, so that numbers of slots and actions stand in one place only. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int64_t word;

static inline word draw(word *rng, word n)
{
    word x = *rng;
    x ^= (x << 13) & 0xFFFFFFFF;
    x ^= x >> 17;
    x ^= (x << 5) & 0xFFFFFFFF;
    *rng = x;
    return (x * n) >> 32;
}

/* Each game defines these: one action and its id, and whether the match is over. */
static word listed(word *s, word *rng, word *out);
static word drawn(word *s, word *rng, word *out);
static bool over(const word *s);

/* `reference list|drawn SEED MATCHES`, with the words of the first position on standard input:
 * prints actions, checksum of all matches, seconds of processor time. */
static int play_matches(int argc, char **argv)
{
    static word start[8192], s[8192], out[1024];
    if (argc != 4) {
        fprintf(stderr, "usage: %s list|drawn SEED MATCHES < WORDS\n", argv[0]);
        return 2;
    }
    const bool by_list = strcmp(argv[1], "list") == 0;
    word rng = strtoll(argv[2], NULL, 10), matches = strtoll(argv[3], NULL, 10);
    word size = 0, actions = 0, all = 0;
    long long value;
    while (size < 8192 && scanf("%lld", &value) == 1)
        start[size++] = value;
    const clock_t begin = clock();
    for (word match = 0; match < matches; match++) {
        word checksum = 0;
        memcpy(s, start, size * sizeof(word));
        while (!over(s)) {
            const word action = by_list ? listed(s, &rng, out) : drawn(s, &rng, out);
            checksum = (checksum * 31 + action) & 0x7FFFFFFF;
            actions++;
        }
        all = (all * 31 + checksum) & 0x7FFFFFFF;
    }
    printf("%lld %lld %.6f\n", (long long)actions, (long long)all,
           (double)(clock() - begin) / CLOCKS_PER_SEC);
    return 0;
}

#endif
