import type { CalendarEvent } from '@tapeline/domain/calendar/calendar-event.ts';
import { expect, test } from 'vitest';
import { icalendarOf } from './icalendar.server.ts';

const CALL: CalendarEvent = {
  kind: 'call',
  id: '0123456789abcdef01234567',
  day: '2026-11-30',
  name: '9',
  party: 'Harbour Fund; A, B\nLP',
  partyId: null,
  part: null,
  amounts: [{ sum: '1234567.5', currency: 'USD' }],
  status: 'Upcoming',
  investors: 3,
  fileId: null,
};
const written = (events: readonly CalendarEvent[]) =>
  icalendarOf(events, { origin: 'https://example.test', type: 'manager', now: new Date('2026-11-01T10:00:00Z') })
    // Lines are folded after 75 octets.
    .replaceAll('\r\n ', '')
    .split('\r\n');

test('an event is a whole day, names its document and escapes its text', () => {
  expect(written([CALL])).toEqual(
    expect.arrayContaining([
      'UID:call/0123456789abcdef01234567/2026-11-30/@tapeline',
      'DTSTART;VALUE=DATE:20261130',
      'DTEND;VALUE=DATE:20261201',
      'SUMMARY:Capital call 9 due\\, Harbour Fund\\; A\\, B\\nLP',
      'DESCRIPTION:1\\,234\\,567.50 USD\\nUpcoming',
      'URL;VALUE=URI:https://example.test/capital/calls/0123456789abcdef01234567',
      'TRANSP:TRANSPARENT',
    ]),
  );
});

test('two stages of a fund on one day are two events', () => {
  const stage = { ...CALL, kind: 'fund', part: 'date' } as const;
  const uids = written([
    { ...stage, name: 'First closing' },
    { ...stage, name: 'Investment period' },
  ]).filter((line) => line.startsWith('UID:'));
  expect(new Set(uids).size).toBe(2);
});
