import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const unit = (name: string): string =>
  readFileSync(new URL(`../../../deploy/systemd/tapeline-${name}.service`, import.meta.url), 'utf8');
const lineOf = (text: string, name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1];

/** systemd gives up a unit that starts this often within this time, unless the unit says otherwise. */
const STARTS = 5;
const WITHIN_SECONDS = 10;

test('systemd starts web and workers again whenever they end, and never gives up', () => {
  for (const name of ['web', 'worker']) {
    const text = unit(name);
    expect(lineOf(text, 'Restart'), name).toBe('always');
    expect(Number(lineOf(text, 'RestartSec')) * STARTS, name).toBeGreaterThan(WITHIN_SECONDS);
    expect(text, name).not.toMatch(/^StartLimit/m);
  }
});

test('no unit watches a service: a process ends by itself if only a restart helps, so that an outage restarts nothing', () => {
  for (const name of ['web', 'worker']) {
    const text = unit(name);
    expect(text, name).not.toMatch(/^(Requires|BindsTo|PartOf|WatchdogSec|ExecCondition)=/m);
  }
});
