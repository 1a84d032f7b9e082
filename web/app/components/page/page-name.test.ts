import { expect, test } from 'vitest';
import { crumbsOfRoutes, documentTitle, named } from './page-name.ts';

type Company = () => Promise<{ id: string; name: string }>;
const shell = { id: 'shell', pathname: '/', params: {}, data: {}, handle: undefined };
const page = (handle: unknown, data: unknown = null) => [
  shell,
  { id: 'page', pathname: '/page', params: {}, data, handle },
];
const company = { id: 'c1', name: 'Northwind' };
const edit = named<Company>(({ id, name }) => [[name, `/companies/${id}`], 'Edit']);

test('a page is called by its last crumb, or by what it edits', () => {
  expect(
    documentTitle(
      page(
        named<Company>(({ name }) => [name]),
        company,
      ),
    ),
  ).toBe('Northwind · Tapeline');
  expect(documentTitle(page(edit, company))).toBe('Edit Northwind · Tapeline');
  expect(crumbsOfRoutes(page(edit, company))).toEqual([{ label: 'Northwind', to: '/companies/c1' }, { label: 'Edit' }]);
});

test('a page can have another title than its crumbs, with or without data', () => {
  const terms = named<Company>(
    () => ['Terms'],
    ({ name }) => `Terms of ${name}`,
  );
  expect(documentTitle(page(terms, company))).toBe('Terms of Northwind · Tapeline');
  expect(documentTitle(page(named('Edit several', 'Edit several users')))).toBe('Edit several users · Tapeline');
  expect(documentTitle(page(named('New borrower')))).toBe('New borrower · Tapeline');
  expect(documentTitle(page({ title: 'Companies' }, company))).toBe('Companies · Tapeline');
});

test('a page whose data could not be read has no crumbs, and no title that needs them', () => {
  expect(crumbsOfRoutes(page(edit))).toEqual([]);
  expect(documentTitle(page(edit))).toBe('Tapeline');
  expect(documentTitle([shell])).toBe('Tapeline');
});
