/// Replaced by the stage's first commit.
enum Stage {}
