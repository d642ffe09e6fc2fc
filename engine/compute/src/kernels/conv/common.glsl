// Inputs of a convolution over time; those before the slice are in `taps`, [slots, channels, KERNEL - 1].
uniform usampler2D inputs;
uniform usampler2D taps;
// The input of channel c at time t, from 1 - KERNEL on.
float input_at(int t, uint c) {
  if (t < 0) {
    uint kept = (state.slots * p.channels + c) * (KERNEL - 1u);
    return state.fresh == 1u ? 0.0 : value_at(taps, kept + uint(t + int(KERNEL) - 1));
  }
  uint at = p.in_offset + uint(t) * p.in_stride + c;
  float x = value_at(inputs, at);
  return GATED ? x * value_at(inputs, at + 2u * p.channels) : x;
}
