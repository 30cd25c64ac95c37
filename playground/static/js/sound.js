// The bell: two soft notes, made on the spot.

let context = null;

export function ding() {
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const [hertz, delay] of [
    [880, 0],
    [1318.5, 0.09],
  ]) {
    const tone = new OscillatorNode(context, { frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start + delay);
    volume.gain.linearRampToValueAtTime(0.12, start + delay + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0005, start + delay + 0.5);
    tone.connect(volume).connect(context.destination);
    tone.start(start + delay);
    tone.stop(start + delay + 0.55);
  }
}
