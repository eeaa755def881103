"""`python -m topoedit`: the same as the command `topoedit`."""

from topoedit.cli.main import run

if __name__ == "__main__":
    run()
