import { setImmediate } from 'node:timers/promises';
import { openJsonReader } from '../../../web/server/json-reader.ts';
import { printMeasured } from '../measuring/rounds.ts';
import { textOfBody } from './bodies.ts';

const TIMES = 20;

const [, , how, name = ''] = process.argv;
const text = textOfBody(name);
const reader = openJsonReader();
const parse = how === 'exact' ? reader.parse : async () => JSON.parse(text);
// As in a server: the code has met bodies before.
for (let time = 0; time < 5; time += 1) await parse(text);
// The processor time of this thread, while which other requests wait; that of another thread holds up nobody.
const before = process.threadCpuUsage();
const startedAt = performance.now();
for (let time = 0; time < TIMES; time += 1) {
  await parse(text);
  await setImmediate();
}
const { user, system } = process.threadCpuUsage(before);
const wholeMs = (performance.now() - startedAt) / TIMES;
printMeasured({ elapsedMs: (user + system) / 1000 / TIMES, wholeMs, bytes: text.length });
await reader.close();
