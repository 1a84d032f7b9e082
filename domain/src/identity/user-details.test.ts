import { expect, test } from 'vitest';
import {
  confirmUserDetailsSchema,
  privacyAndTermsSchema,
  signUpSchema,
  userDetailsSchema,
} from './user-details.schema.ts';

const problems = (input: object) => {
  const result = userDetailsSchema.safeParse({ firstName: 'Ann', lastName: 'Bay', ...input });
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test('first and last names have 2 to 30 characters', () => {
  for (const name of ['firstName', 'lastName']) {
    expect(problems({ [name]: 'Al' })).toEqual([]);
    expect(problems({ [name]: 'a'.repeat(30) })).toEqual([]);
    expect(problems({ [name]: ' A ' })).toEqual([`${name}: At least 2 characters`]);
    expect(problems({ [name]: 'a'.repeat(31) })).toEqual([`${name}: At most 30 characters`]);
    expect(problems({ [name]: undefined })).toEqual([`${name}: is required`]);
  }
});

test('a phone number has digits only, at most 16, and can be null', () => {
  for (const phoneNumber of [null, undefined, '1', '4'.repeat(16)]) expect(problems({ phoneNumber })).toEqual([]);
  for (const phoneNumber of ['', '4'.repeat(17), '+4420', '44 20', '４４']) {
    expect(problems({ phoneNumber })).toEqual(['phoneNumber: Invalid phone number']);
  }
});

test('signing up takes only names and the phone number from the body', () => {
  const createUser = { firstName: ' Ann ', lastName: 'Bay', phoneNumber: '44', type: 'admin', assoc: { admin: true } };
  const parsed = signUpSchema.parse({ ownershipToken: 't', createUser });
  expect(parsed.createUser).toEqual({ firstName: 'Ann', lastName: 'Bay', phoneNumber: '44' });
});

test('accepting and confirming need no body, and nothing else than acceptance is accepted', () => {
  expect(privacyAndTermsSchema.parse({})).toEqual({});
  expect(privacyAndTermsSchema.safeParse({ isReadPrivacyAndTerms: false }).success).toBe(false);
  expect(confirmUserDetailsSchema.parse({})).toEqual({});
  expect(confirmUserDetailsSchema.safeParse({ firstName: 'A' }).success).toBe(false);
});
