import { describe, expect, test } from 'vitest';
import { type IssueState, jointState } from './issue-approval.ts';

const state = (preparedBy: string, fields: Partial<IssueState> = {}): IssueState => ({
  isNeeded: true,
  preparedBy,
  isOwn: preparedBy === 'Ada',
  submittedAt: null,
  returned: null,
  ...fields,
});
const at = { submittedAt: '2026-10-01T09:00:00Z' };

describe('what is issued together', () => {
  test.each([
    ['is submitted if the partner alone needs a second person', [state('Ada', { isNeeded: false }), state('Ada')], 1],
    ['waits if the partner alone was submitted', [state('Ada', { isNeeded: false }), state('Ada', at)], 1],
    ['is submitted if one of the two is not', [state('Ada', at), state('Ada')], 1],
    ['waits once both are submitted', [state('Ada', at), state('Ada', at)], 0],
    ['is submitted if the actor prepared one of the two', [state('Ben', at), state('Ada')], 1],
    ['is decided by others than who submitted it', [state('Ben', { isNeeded: false }), state('Ben', at)], 1],
    ['is not submitted yet', [state('Ben', { isNeeded: false }), state('Ben')], 1],
    ['needs nobody else', [state('Ada', { isNeeded: false }), state('Ben', { isNeeded: false })], 0],
    ['is not known, with a partner that needs a second person', [null, state('Ada')], 1],
    ['has no partner that can be seen', [state('Ada'), undefined], 0],
  ] as const)('%s', (_, states, decisive) => {
    expect(jointState(states)).toBe(states[decisive]);
  });

  test('is not known of what nobody prepared', () => {
    expect(jointState([undefined])).toBeNull();
  });
});
