"""The codes of `loadscale` by name, apart so that a window is painted before numpy is loaded."""

PLAIN, NO_DATA, IDLE, FIRST_BIN, OVERLOAD, DOWN = 0, 1, 2, 3, 19, 20
BINS = 16
CODES = DOWN + 1
