import { expect, it } from 'vitest';
import { namesOfEmail } from './names-of-email.ts';

it.each([
  ['amina.farouk@example.com', 'Amina', 'Farouk'],
  [' Amina.Farouk@Example.com ', 'Amina', 'Farouk'],
  ['anne-marie.lind@example.com', 'Anne-Marie', 'Lind'],
])('reads the names of %s', (email, firstName, lastName) => {
  expect(namesOfEmail(email)).toEqual({ firstName, lastName });
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
  expect(namesOfEmail(email)).toBeNull();
});
