"""A server's certificate as four words, short enough to compare by eye or aloud.

The words are taken from a slow hash: to find another certificate with the same four, somebody
would have to try about four thousand million, at a tenth of a second and 32 MiB each.
"""

from __future__ import annotations

import hashlib
from typing import Final

_TEXT: Final = """
    acorn alpaca anchor ankle apple apron attic avocado badge badger bagel baker balloon bamboo
    banana banjo barn barrel basil basket beach beaver bell berry bike biscuit blanket blossom
    boat bonnet book boot bottle branch bread breeze brook broom brush bubble bucket bunny bus
    butter button cabbage cactus cake camel candle canoe carpet carrot castle cat cello cheese
    cherry chimney cinema circus cloud clover coat cocoa coconut comet compass cookie coral corn
    cottage cotton crab crayon cricket crown cuckoo cupboard curtain cushion daisy dance desert
    diamond dolphin donkey door dragon drawer drum duck eagle elbow elephant engine falcon feather
    fern ferry fiddle finch flag flamingo flower flute forest fountain fox frog fruit galaxy garden
    garlic ginger giraffe glacier glove goat goose grape guitar hammer hammock harbour harp hazel
    hedge helmet heron hill honey hood horse igloo island ivy jacket jam jelly jigsaw jungle
    kangaroo kettle kite kitten kiwi koala ladder lagoon lamb lamp lantern lemon leopard letter
    library lily lion lizard llama magnet mango maple marble market meadow melon mermaid mirror
    mitten moon moose moth mountain mouse muffin mushroom music napkin needle nest noodle nutmeg
    oasis oats ocean olive onion orange orchard otter oven owl oyster paddle painter palace pancake
    panda paper parade parrot parsley peach peanut pebble pelican pencil penguin pepper piano
    picnic pigeon pillow pilot pizza planet pocket pony popcorn potato pudding puppet puzzle quilt
    rabbit raccoon radio rain ribbon river robin robot rocket rose rug sailor
    salad sandal sandwich saxophone scarf seagull seal shell slipper snail snow sofa soup spider
    spoon squirrel stable star
"""

WORDS: Final = tuple(_TEXT.split())
"""256 things that children know, no two alike in sound."""

HOW_MANY: Final = 4
_SALT: Final = b"oddsocks home server"


def four_words(certificate: bytes) -> tuple[str, ...]:
    """The words of a certificate (DER); takes about a tenth of a second and 32 MiB."""
    digest = hashlib.scrypt(
        certificate, salt=_SALT, n=2**15, r=8, p=1, maxmem=2**26, dklen=HOW_MANY
    )
    return tuple(WORDS[byte] for byte in digest)
