import { expect, test } from 'vitest';
import { defineTransitions } from './transitions.ts';

const GATE = defineTransitions<'Open' | 'Shut'>('a gate', { Open: ['Shut'], Shut: [] });

test('a transition of the table is allowed; any other is rejected with the two states', () => {
  expect(GATE.allows('Open', 'Shut')).toBe(true);
  expect(() => GATE.require('Open', 'Shut')).not.toThrow();
  expect(() => GATE.require('Shut', 'Open')).toThrow(
    expect.objectContaining({
      code: 'badRequest',
      message: 'A gate cannot go from Shut to Open',
      flags: { status: 'cannot go from Shut to Open' },
    }),
  );
  expect(GATE.allows('Open', 'Open')).toBe(false);
  expect(() => GATE.require('Shut', 'Open', 'build another one')).toThrow(
    'A gate cannot go from Shut to Open: build another one',
  );
});

test('a repeated step stays in its state, and goes to no other', () => {
  expect(GATE.enter('Open', 'Shut')).toBe('Shut');
  expect(GATE.enter('Shut', 'Shut')).toBe('Shut');
  expect(() => GATE.enter('Shut', 'Open')).toThrow('A gate cannot go from Shut to Open');
  expect([GATE.sourcesOf('Shut'), GATE.sourcesOf('Open')]).toEqual([['Open'], []]);
});
