"""All of Oddsocks on one machine: `python -m services.standalone run | home | demo | …`.

Starts the services, two workers and a Redis as processes of their own and watches over them. Knows
how they are started and where they listen; no rules, no tables, no storage.
"""
