float delta_at(uint t, uint row) { return 0.0; }
