import { expect, it } from 'vitest';
import { fieldMessage } from './field-message.ts';

it.each([
  ['Title', 'is required', 'Enter a title'],
  ['Industry', 'is required', 'Enter an industry'],
  ['FICO score', 'is required', 'Enter a FICO score'],
  ['Sequence', 'must be unique', 'Sequence must be unique'],
  ['Borrower', 'Choose a borrower', 'Choose a borrower'],
  ['Range', 'min should be less then max ', 'Range min should be less then max '],
])('says of %s that %s: %s', (label, reason, message) => {
  expect(fieldMessage(label, reason)).toBe(message);
});

it('asks to choose a field that is not typed', () => {
  expect(fieldMessage('Cut-off date', 'is required', 'Choose')).toBe('Choose a cut-off date');
});

it('asks for a field of an entry of a list after the entry', () => {
  expect(fieldMessage('Bank account 1, Account title', 'is required')).toBe('Bank account 1: Enter an account title');
  expect(fieldMessage('Amount 2, Draw type', 'is required', 'Choose')).toBe('Amount 2: Choose a draw type');
});
