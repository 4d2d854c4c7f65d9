/**
 * Asks one address again and again over one connection, in a process of its own, so that nobody's work is in what it
 * measures. `node ping.js PORT PATH INTERVAL_MS` prints `{"times":[ms …],"failures":n}` when its input ends.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

const [port = '', path = '', interval = ''] = process.argv.slice(2);
const times: number[] = [];
let failures = 0;
let asked: number | undefined;
let text = '';

const socket = connect(Number(port), '127.0.0.1');
socket.setNoDelay(true);
socket.on('error', () => {
  failures += 1;
});
socket.on('close', () => {
  failures += 1;
});
socket.on('data', (chunk) => {
  text += chunk.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (asked === undefined || end < 0) return;
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  if (text.length < end + 4 + length) return;
  if (!text.startsWith('HTTP/1.1 200')) failures += 1;
  times.push(performance.now() - asked);
  asked = undefined;
  text = '';
});

// A question that is due while the last one waits is left out: what the last one waits is in the times already.
setInterval(() => {
  if (asked !== undefined) return;
  asked = performance.now();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
}, Number(interval));

process.stdin.resume();
process.stdin.on('end', () => {
  // The question that is open counts with what it has waited so far.
  if (asked !== undefined) times.push(performance.now() - asked);
  process.stdout.write(JSON.stringify({ times, failures }), () => process.exit(0));
});
