import { expect, it } from 'vitest';
import { readTypedEmail, readWholeName } from './names-of-email.ts';

it.each([
  ['amina.farouk@example.com', 'Amina', 'Farouk'],
  [' Amina.Farouk@Example.com ', 'Amina', 'Farouk'],
  ['anne-marie.lind@example.com', 'Anne-Marie', 'Lind'],
])('reads the names of %s', (email, firstName, lastName) => {
  expect(readTypedEmail(email)).toEqual({ email, names: { firstName, lastName } });
});

// Of a mailbox, an initial or a number it would be a guess.
it.each([
  'amina@example.com',
  'a.farouk@example.com',
  'amina.f@example.com',
  'amina.j.farouk@example.com',
  'amina.farouk2@example.com',
  'amina.farouk',
  `amina.${'x'.repeat(31)}@example.com`,
  '',
])('reads none of “%s”', (email) => {
  expect(readTypedEmail(email)).toEqual({ email, names: null });
});

it.each([
  ['Amina Farouk <amina@example.com>', { firstName: 'Amina', lastName: 'Farouk' }],
  [' "Anne Marie Lind" <am.lind@example.com> ', { firstName: 'Anne Marie', lastName: 'Lind' }],
  // One name is not both.
  ['Accounts <accounts@example.com>', null],
])('reads an address as mail programs copy it: %s', (text, names) => {
  expect(readTypedEmail(text)).toEqual({ email: /<(.*)>/.exec(text)?.[1], names });
});

it('takes what is no address as it is', () => {
  expect(readTypedEmail('Amina <amina>')).toEqual({ email: 'Amina <amina>', names: null });
});

it.each([
  ['Amina Farouk', { firstName: 'Amina', lastName: 'Farouk' }],
  [' Anne Marie  Lind ', { firstName: 'Anne Marie', lastName: 'Lind' }],
  ['Amina', null],
  ['Amina ', null],
  ['', null],
])('takes a whole name apart: “%s”', (text, names) => {
  expect(readWholeName(text)).toEqual(names);
});
