"""Kivy has one window per process and reads its settings once: they are made here, before any
test module can import it."""

from __future__ import annotations

import os

# Kivy would take over logging for the whole process, and with it everybody else's tests.
os.environ["KIVY_LOG_MODE"] = "PYTHON"

# The language of the device, whatever that of the machine is.
os.environ["LANGUAGE"] = "en"

# One thread draws: with more of them a frame would wait for its turn on a busy machine.
os.environ["LP_NUM_THREADS"] = "0"

from app.window import prepare

LARGEST = int(os.environ.get("ODDSOCKS_WINDOW", "1024"))

# As many frames as on a phone, since some tests measure them. Offscreen, what is drawn beyond the
# first size is lost, so that is the largest of which pictures are taken.
prepare(headless=True, width_dp=LARGEST, height_dp=LARGEST, density=1, frames_per_s=60)
