import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openJsonReader } from '../../../web/server/json-reader.ts';
import { printMeasured } from '../measuring/rounds.ts';
import { textOfBody, WORST_BODY } from './bodies.ts';

// One measurement in a separate process; what the reader reads is compared with what JSON.parse does.
const [, , how, name = '', times = ''] = process.argv;
const TIMES = Number(times);
const text = textOfBody(name);
const reader = openJsonReader();
const parse = how === 'exact' ? reader.parse : async () => JSON.parse(text);
// As in a server: the code has met bodies before.
for (let time = 0; time < TIMES / 4; time += 1) await parse(text);
if (name !== WORST_BODY && !isDeepStrictEqual(await parse(text), JSON.parse(text))) {
  throw new Error(`${name} is read otherwise than by JSON.parse`);
}
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
