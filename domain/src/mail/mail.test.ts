import { expect, test } from 'vitest';
import { type AddressedMail, joinedText, MAX_ATTEMPTS, mailHtml, mailText, retryWaitMs } from './mail.ts';

test('the waits double from half a minute to four hours', () => {
  expect([1, 2, 3, 9, 10, 16].map((attempts) => retryWaitMs(attempts) / 1000)).toEqual([
    30, 60, 120, 7680, 14_400, 14_400,
  ]);
});

test('sending is given up after about a day', () => {
  const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryWaitMs(index + 1));
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(24);
  expect(hours).toBeLessThan(36);
});

const MAIL: AddressedMail = {
  firstName: 'Ann',
  kind: 'drawApproved',
  text: 'The draw was approved.',
  page: '/monitoring/draws/1',
  pageTitle: 'Open the draw',
};
const URL = 'https://tapeline.example';

test('the link is on its own line', () => {
  expect(mailText(MAIL, URL)).toBe(
    'Hello Ann,\n\nThe draw was approved.\n\nOpen the draw:\nhttps://tapeline.example/monitoring/draws/1\n',
  );
});

test('as HTML it says the same, shows what is not Markdown as it is, and loads nothing', () => {
  const html = mailHtml({ ...MAIL, firstName: 'A<b>nn', text: 'Draw *7*\nof "A & B"\n\n<script>x</script>' }, URL);
  expect(html).toContain('<p>Hello A&lt;b&gt;nn,</p>');
  expect(html).toContain('<p>Draw *7*<br>of &quot;A &amp; B&quot;</p>\n<p>&lt;script&gt;x&lt;/script&gt;</p>');
  expect(html).toContain('<a href="https://tapeline.example/monitoring/draws/1"');
  expect(html).not.toMatch(/<(?:script|img|link|iframe)|url\(|src=/);
});

test('an email about several investors names each with its link, in text and as HTML', () => {
  const about = [
    { title: 'Birch & Co', page: '/documents/1' },
    { title: 'Cedar\nPension', page: '/documents/2' },
  ];
  expect(mailText({ ...MAIL, about }, URL)).toContain(
    `The draw was approved.

This email is about 2 investors:
- Birch & Co: ${URL}/documents/1
- Cedar Pension: ${URL}/documents/2

Open the draw:`,
  );
  const html = mailHtml({ ...MAIL, about }, URL);
  expect(html).toContain('<p>This email is about 2 investors:</p>');
  expect(html).toMatch(/<li><a href="https:\/\/tapeline\.example\/documents\/1"[^>]*>Birch &amp; Co<\/a><\/li>/);
  expect(mailHtml(MAIL, URL)).not.toContain('<ul>');
});

test('messages that are joined say each paragraph once', () => {
  expect(joinedText(['Issued.\nOpen it.\n\nFor Birch.', 'Issued.\nOpen it.\n\nFor Cedar.', 'Issued.\nOpen it.'])).toBe(
    'Issued.\nOpen it.\n\nFor Birch.\n\nFor Cedar.',
  );
});

test('an announcement is Markdown', () => {
  const html = mailHtml({ ...MAIL, kind: 'announcement', text: 'The fund has **closed**. [Report](/funds/1)' }, URL);
  expect(html).toContain('<p>The fund has <strong>closed</strong>. <a href="https://tapeline.example/funds/1"');
});
