"""Simulation by seed: groups of people who play, err, go away and come back, and everything that can go wrong.

``python -m tests.simulate --seed 7`` plays one world in virtual time and prints what it came to; ``--seeds 1-1000``
many. A seed that fails prints why, and does so again every time.
"""
