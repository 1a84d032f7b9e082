import { expect, test } from 'vitest';
import { markdownToHtml, markdownToText } from './markdown.ts';

test('emphasis, lists, links and line breaks are rendered', () => {
  expect(markdownToHtml('The fund has **closed**.\nSee [the page](https://example.com/a?b=1&c).\n\n- one\n- two')).toBe(
    '<p>The fund has <strong>closed</strong>.<br>\nSee <a href="https://example.com/a?b=1&amp;c" rel="noopener noreferrer nofollow">the page</a>.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n',
  );
});

test('headings start below those of the page', () => {
  expect(markdownToHtml('# One\n\n#### Four')).toBe('<h3>One</h3>\n<h4>Four</h4>\n');
});

test('a link to a page of the product is complete in an email', () => {
  const options = { baseUrl: 'https://tapeline.example', linkStyle: 'color:#123456' };
  expect(markdownToHtml('[Report](/funds/1)', options)).toContain(
    '<a href="https://tapeline.example/funds/1" rel="noopener noreferrer nofollow" style="color:#123456">Report</a>',
  );
  expect(markdownToHtml('[Report](/funds/1)')).toContain('href="/funds/1"');
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:alert(1))',
  '[x](file:///etc/passwd)',
  '[x](//example.com)',
  '[x](/\\example.com)',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '[x](https://example.com "\\" onclick=alert(1) \\"")',
  '![x](https://example.com/pixel.png)',
  '```"><script>alert(1)</script>\ncode\n```',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<a\nhref="javascript:alert(1)">x</a>',
  '<!--><img src=x onerror=alert(1)-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '[x](javascript&colon;alert(1))',
  '[x](javascript&#x3A;alert(1))',
  '[x](&#x01;javascript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](<java\\script:alert(1)>)',
  '[x](%6A%61%76%61script:alert(1))',
  '[x](blob:https://example.com/1)',
  '[x](https://example.com" onmouseover="alert(1))',
  '[x](https://example.com/&quot;onmouseover=&quot;alert(1))',
  '<https://example.com/"onmouseover="alert(1)>',
  '[<script>alert(1)</script>](https://example.com)',
  '[x](/funds "<script>alert(1)</script>")',
  '![x](javascript:alert(1))',
  '[![x](https://example.com/pixel.png)](javascript:alert(1))',
  '[x][y]\n\n[y]: <javascript:alert(1)> "z"',
])('%j brings no script, no picture and no foreign link', (text) => {
  const html = markdownToHtml(text);
  // Quotes are escaped too, so that nothing leaves its attribute.
  const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  for (const tag of tags) {
    expect(tag).toMatch(
      /^<\/?(?:p|br|pre|code|a|strong|em)(?: (?:href="(?:https:\/\/|\/(?![/\\]))[^"]*"|rel="[^"]*"|title="[^"]*"|class="[^"]*"))*>$/,
    );
  }
});

/** Texts that make careless parsers slow or exhaust the stack. */
const HOSTILE = [
  '>',
  '> ',
  '[',
  '![[',
  '*a',
  '*a_',
  '- ',
  '1. ',
  '`',
  '[a](',
  '<a',
  '[a]: b\n',
  '**a *b',
  '~~a~',
  '\\',
  '\n> a\n- ',
];

test.each(HOSTILE)('%j, repeated, is rendered in full within bounds', (part) => {
  const text = part.repeat(Math.floor(20_000 / part.length));
  expect(markdownToHtml(text).length).toBeLessThan(10 * text.length);
});

test('nesting has a limit', () => {
  expect(markdownToHtml('> '.repeat(1000)).match(/<blockquote>/g)).toHaveLength(20);
});

test('the words of a text are its lines without marks', () => {
  const text =
    '# Year *end*\n\nClosed on **25 and 26 December**.\nSee [the notice](https://example.com).\n\n- `A` <b>\n1. B\n\n> C';
  expect(markdownToText(text)).toBe('Year end\nClosed on 25 and 26 December.\nSee the notice.\nA <b>\nB\nC');
});
