import { expect, test } from 'vitest';
import { extensionOfType, kindsOfType, typeOfFile, UPLOAD_EXTENSIONS, UPLOAD_KINDS } from './file-types.ts';

test('each file of the specification can be uploaded, whatever its browser reports', () => {
  const names = ['a.md', 'a.txt', 'a.png', 'a.jpg', 'a.csv', 'a.pdf', 'a.mp4', 'a.docx', 'a.xlsx', 'a.pptx', 'a.doc'];
  names.push('a.zip', 'a.7z', 'a.rar', 'a.ts', 'a.py', 'a.sql', 'a.json', 'a.xml', 'a.odt', 'a.mov', 'A.HEIC');
  for (const name of names) {
    const type = typeOfFile(name, '');
    expect(kindsOfType(type), name).toHaveLength(1 + 2 * Number(type === 'application/zip'));
    expect(typeOfFile(name, 'video/mp2t')).toBe(type);
    expect(UPLOAD_EXTENSIONS.split(',')).toContain(`.${name.toLowerCase().split('.')[1]}`);
  }
  expect(UPLOAD_KINDS).toBe('Markdown, text, images, CSV, PDF, video, office documents, archives, code, JSON and XML');
});

test('a file is announced by its name, and an unknown one as it came', () => {
  expect(typeOfFile('Tape.CSV', 'application/vnd.ms-excel')).toBe('text/csv');
  expect(typeOfFile('old.xls', 'application/vnd.ms-excel')).toBe('application/vnd.ms-excel');
  expect(typeOfFile('setup.exe', 'application/x-msdownload')).toBe('application/x-msdownload');
  expect(typeOfFile('nothing', '')).toBe('application/octet-stream');
});

test('programs and unknown types are not accepted', () => {
  for (const type of ['application/x-msdownload', 'application/octet-stream', 'application/java-archive', '', 'text']) {
    expect(kindsOfType(type), type).toEqual([]);
  }
});

test('a type has other names, parameters and an extension', () => {
  expect(kindsOfType('application/x-zip-compressed')).toEqual(kindsOfType('application/zip'));
  expect(kindsOfType('Text/CSV; charset=utf-8')).toEqual(['text']);
  expect(extensionOfType('application/x-zip-compressed')).toBe('zip');
  expect(extensionOfType('image/jpeg')).toBe('jpg');
  expect(extensionOfType('application/x-other')).toBeNull();
});
