"""What an operator needs beside the game: logs, figures, health, the webhook's door, a look at the whole set-up."""
