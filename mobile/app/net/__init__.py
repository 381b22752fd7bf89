"""Ways to reach a match. Nothing here imports Kivy, so that other programs can use it too."""
