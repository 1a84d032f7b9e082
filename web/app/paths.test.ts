import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { anyText } from '@tapeline/domain/testing/any-text.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paths, safeNext } from './paths.ts';

describe('where to go on to after signing in', () => {
  it('keeps a place of our own, with its search part', () => {
    expect(safeNext('/monitoring/tapes?skip=20')).toBe('/monitoring/tapes?skip=20');
  });
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    null,
    undefined,
    '/\t/evil.example',
    '/.//evil.example',
    '/x/../..//evil.example',
    '/.\\evil.example',
    '/x/..\\\\evil.example',
    '/.\t//evil.example',
    '/%2e//evil.example',
    '/.//',
    '/.//[',
  ])('leads home instead of to %j', (next) => {
    const safe = safeNext(next);
    expect(new URL(safe, 'http://product.test').host).toBe('product.test');
    expect(safe.startsWith('//')).toBe(false);
  });
});

it('stays on this site, whatever the text', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '\t',
    '\n',
    ' ',
    '@',
    ':',
    '?',
    '#',
    '[',
    'x',
    'http:',
    'evil.example',
    '%2f',
    '\u0000',
    '。',
  );
  const text = fc.oneof(
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
    anyText(),
  );
  fc.assert(
    fc.property(text, (next) => {
      const place = safeNext(next);
      expect(place).toMatch(/^\/(?![/\\])/);
      for (const site of ['http://product.test', 'https://product.test/login/code?next=1']) {
        expect(new URL(place, site).origin).toBe(new URL(site).origin);
      }
      expect(safeNext(place)).toBe(place);
    }),
    { numRuns: 1_000 },
  );
});

describe('paths', () => {
  it('leave out what is not asked for and escape what is', () => {
    expect(paths.tapes()).toBe('/monitoring/tapes');
    expect(paths.loginCode({ email: 'a+b@example.com' })).toBe('/login/code?email=a%2Bb%40example.com');
  });
});

describe('the pages that emails link to', () => {
  it('are addresses of the product', () => {
    const id = '65f0c2a1b3d4e5f601234567';
    expect(MAIL_PAGES.approval('call', id)).toBe(paths.approval('call', id));
    expect(MAIL_PAGES.fundNavs(id)).toBe(paths.fund(id, { view: 'navs' }));
    expect(MAIL_PAGES.fundTerms(id)).toBe(paths.fund(id, { view: 'terms' }));
    expect(MAIL_PAGES.commitment(id, id)).toBe(paths.commitment(id, id));
    expect(MAIL_PAGES.approval('paymentRun', id)).toBe(paths.approval('paymentRun', id));
    expect(MAIL_PAGES.paymentRun(id)).toBe(paths.paymentRun(id));
    expect(MAIL_PAGES.deliveredStatements()).toBe(paths.deliveredStatements());
    expect(MAIL_PAGES.company(id)).toBe(paths.company(id));
    expect(MAIL_PAGES.tape(id)).toBe(paths.tape(id));
    expect(MAIL_PAGES.proposal(id, id)).toBe(paths.proposal(id, id));
    expect(MAIL_PAGES.entity(id)).toBe(paths.entity(id));
    expect(MAIL_PAGES.investor(id)).toBe(paths.investor(id));
    expect(MAIL_PAGES.newTape(id)).toBe(paths.newTape({ company: id }));
    expect(MAIL_PAGES.capitalCall(id)).toBe(paths.capitalCall(id));
    expect(MAIL_PAGES.distribution(id)).toBe(paths.distribution(id));
    expect(MAIL_PAGES.fundDocuments(id)).toBe(paths.fund(id, { view: 'documents' }));
    expect(MAIL_PAGES.mainFund(id)).toBe(paths.mainFund(id));
    expect(MAIL_PAGES.document(id)).toBe(paths.document(id));
    expect(MAIL_PAGES.importRecord(id)).toBe(paths.importRecord(id));
    expect(MAIL_PAGES.addressChange('stop', 'a.b')).toBe(paths.addressChange({ stop: 'a.b' }));
  });
});
