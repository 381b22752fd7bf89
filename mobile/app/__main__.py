"""`python -m app`, with the arguments of `python mobile/main.py`."""

from app.main import main

main()
