import { describe, expect, test } from 'vitest';
import { decodeCdata, decodeContent, decodeEntities, Markup, MarkupReader, utf8 } from './markup.ts';
import { SheetError } from './sheet-error.ts';

/** Steps through a text: the kind, local name and preceding text of each piece of markup. */
function steps(text: string): [number, string, string][] {
  const bytes = Buffer.from(text);
  const markup = new MarkupReader().over(bytes, bytes.length);
  const found: [number, string, string][] = [];
  for (let at = markup.read(0); at !== -1; at = markup.read(at)) {
    found.push([markup.kind, markup.name, utf8(bytes, markup.textStart, markup.textEnd)]);
  }
  return found;
}

test('kinds of markup are distinguished, with any prefixes, quotes and white space', () => {
  expect(steps('<a>x</a >')).toEqual([
    [Markup.open, 'a', ''],
    [Markup.close, 'a', 'x'],
  ]);
  expect(steps(`<x:a\n b = "1>" c='"'/>`)).toEqual([[Markup.empty, 'a', '']]);
  expect(steps('<!-- <a> --><?b <c?><![CDATA[<d>]]>')).toEqual([
    [Markup.aside, '', ''],
    [Markup.aside, '', ''],
    [Markup.cdata, '<d>', ''],
  ]);
});

test('attributes are found by their local name, with entities decoded', () => {
  const text = `<c x:r="A&amp;1" t = 's' s=""/>`;
  const markup = new MarkupReader().over(Buffer.from(text), text.length);
  markup.read(0);
  expect(['r', 't', 's', 'q'].map((name) => markup.attribute(name))).toEqual(['A&1', 's', '', undefined]);
});

test('markup that does not end within the available bytes waits for more', () => {
  for (const text of [
    '<',
    '<a',
    '<a b',
    '<a b=',
    '<a b="',
    '<a b="1"',
    '<a /',
    '</a',
    '<!',
    '<!-- x',
    '<![CDATA[x',
    '<?x',
  ]) {
    expect(steps(text), text).toEqual([]);
  }
});

describe('invalid XML is rejected', () => {
  test.each([
    ['<a<b>'],
    ['<a b>'],
    ['<a b=1>'],
    ['<a b="1"c="2">'],
    ['<a b="<">'],
    ['<a b="1" b="2">'],
    ['<a "b">'],
    ['<>'],
    ['<a&b>'],
    ['</a b="1">'],
    ['<a b="1" / >'],
    ['<!DOCTYPE a>'],
    [`<a ${Array.from({ length: 129 }, (_, index) => `b${index}="1"`).join(' ')}>`],
    [`<a b="${'x'.repeat(70_000)}" c="1">`],
  ])('%.30s', (text) => {
    expect(() => steps(text)).toThrow(SheetError);
  });

  test('ampersands without a meaning, and characters that XML does not allow', () => {
    expect(decodeEntities('&lt;&#65;&#x1F600;&#10;')).toBe('<A😀\n');
    for (const text of ['a & b', '&nbsp;', '&#0;', '&#x110000;', '&#xD800;', '&#xFFFE;', '&#65', 'a\0b', '\u001f']) {
      expect(() => decodeEntities(text), text).toThrow(SheetError);
    }
    expect(() => decodeContent('a]]>b')).toThrow(SheetError);
    expect(decodeContent('a\r\nb\rc')).toBe('a\nb\nc');
    expect(decodeCdata('&amp;\r\n')).toBe('&amp;\n');
    expect(() => decodeCdata('\u0001')).toThrow(SheetError);
  });

  test('bytes that are not UTF-8', () => {
    expect(utf8(Buffer.from('a\ufffdb'), 0, 5)).toBe('a\ufffdb');
    expect(() => utf8(Buffer.from([0x61, 0xc3, 0x28]), 0, 3)).toThrow(SheetError);
  });
});

test('an element is skipped with its content; one that is not closed properly is rejected', () => {
  const skip = (text: string) => {
    const markup = new MarkupReader().over(Buffer.from(text), text.length);
    return markup.skip(markup.read(0));
  };
  expect(skip('<a><b>x</b><a/></a><c>')).toBe(19);
  expect(skip('<a><b></b>')).toBe(-1);
  expect(() => skip('<a><b></a></b>')).toThrow(SheetError);
});
