"""The whole of Oddsocks in containers: images, the compose stack and its secrets.

Standard library only, so that `make up` needs Python and a container engine, nothing else.
"""
