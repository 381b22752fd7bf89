"""Whether anything reaches a seat that it may not know: `make leakcheck`.

Pairs of whole matches are played on the real services, which differ only in what one seat can't
know. Everything that reaches that seat, answers, streams, errors and refusals alike, has to be the
same to the byte, and so has every log line.
"""
