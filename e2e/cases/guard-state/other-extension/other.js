// Does nothing by itself: the case evaluates in it.
