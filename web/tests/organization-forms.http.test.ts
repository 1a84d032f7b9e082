import { ENTITY, ENTITY_LIMITS } from '@tapeline/domain/entities/testing/entity-limits.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
});

/** The fields of a form for a document: `entity.contacts[0].name`. */
function fieldsOf(value: unknown, name: string): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => fieldsOf(entry, `${name}[${index}]`));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, entry]) => fieldsOf(entry, `${name}.${key}`));
  }
  return [[name, String(value)]];
}

// The form has no field for the deprecated domains of an entity, and boxes for what a contact receives.
describe.each(ENTITY_LIMITS.filter(([path]) => !/^domains|\.receives/.test(path)))(
  'the form of an entity, at the limit of %s',
  (path, within, beyond) => {
    const submit = (changes: object) =>
      client.submit(paths.newEntity(), [['intent', 'create'], ...fieldsOf({ ...ENTITY, ...changes }, 'entity')]);

    it('accepts a value within it, and shows an error at the field of one beyond it', async () => {
      const created = await submit(within);
      expect([created.status, created.headers.get('location')], path).toEqual([
        302,
        expect.stringMatching(/^\/admin\/entities\/[0-9a-f]{24}$/),
      ]);
      const refused = await submit(beyond);
      expect(refused.status).toBe(422);
      const name = `entity.${path.replaceAll(/\.(\d+)/g, '[$1]')}`;
      expect(refused.text).toContain(`id="entity-${name}-error"`);
    });
  },
);

describe('a list of a form is edited without JavaScript', () => {
  const edit = (listEdit: string) =>
    client.submit(paths.newEntity(), [
      ['intent', 'create'],
      ['entity.name', 'Kept'],
      ['entity.contacts[0].name', 'Ada'],
      ['entity.contacts[1].name', 'Bo'],
      ['listEdit', listEdit],
    ]);
  const contactsOf = (text: string) =>
    [...text.matchAll(/name="entity\.contacts\[\d+\]\.name"[^>]*?(?: value="([^"]*)")?[^>]*>/g)].map(
      ([input]) => /value="([^"]*)"/.exec(input)?.[1] ?? '',
    );

  it.each([
    ['add entity.contacts 2', ['Ada', 'Bo', '']],
    ['remove entity.contacts 0', ['Bo']],
    ['up entity.contacts 1', ['Bo', 'Ada']],
    ['down entity.contacts 0', ['Bo', 'Ada']],
  ])('%s', async (listEdit, contacts) => {
    const answer = await edit(listEdit);
    expect(answer.status).toBe(200);
    expect(contactsOf(answer.text)).toEqual(contacts);
    expect(answer.text).toContain('value="Kept"');
    expect(answer.text).not.toContain('is required');
  });

  it.each(['add entity.name 0', 'add entity.unknown 0', 'remove entity.contacts 99999', 'reset entity.contacts 0'])(
    'refuses "%s"',
    async (listEdit) => {
      expect((await edit(listEdit)).status).toBe(400);
    },
  );
});

describe('a company is created inside another form, which keeps what was entered', () => {
  it.each([
    [paths.newTransaction(), 'create', 'company', { title: 'Kept facility' }],
    [paths.newMapping(), 'start', 'companyId', {}],
  ])('%s', async (path, intent, field, entered) => {
    const name = `Sorrel ${intent}`;
    const quick = (fields: Record<string, string>) =>
      client.submit(path, { intent, otherIntent: 'createCompany', ...entered, ...fields });
    const refused = await quick({ 'newCompany.name': name, 'newCompany.country': 'US' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('newCompany.currency-error');
    for (const value of Object.values(entered)) expect(refused.text).toContain(`value="${value}"`);

    const answer = await quick({
      'newCompany.name': name,
      'newCompany.country': 'US',
      'newCompany.currency': 'USD',
    });
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    const select = new RegExp(`<select[^>]*name="${field}"[^>]*>(.*?)</select>`, 's').exec(answer.text)?.[1] ?? '';
    expect(select).toMatch(new RegExp(`<option value="[0-9a-f]{24}" selected="">${name}</option>`));
    for (const value of Object.values(entered)) expect(answer.text).toContain(`value="${value}"`);
    const { json } = await tenant.manager.get('/crud/companies', { filter: { 'entity.name': name } });
    expect(json).toMatchObject([{ entity: { nationality: { country: 'US' }, business: { currency: 'USD' } } }]);

    const again = { 'newCompany.name': name.toUpperCase(), 'newCompany.country': 'US', 'newCompany.currency': 'USD' };
    const question = `There is another borrower named “${name.toUpperCase()}”.`;
    const asked = await quick(again);
    expect(asked.status).toBe(422);
    for (const text of ['Nothing has been saved yet', question, 'Create borrower anyway']) {
      expect(asked.text).toContain(text);
    }
    for (const value of Object.values(entered)) expect(asked.text).toContain(`value="${value}"`);
    const confirmed = await quick({ ...again, confirmedWarnings: JSON.stringify([question]) });
    expect(confirmed.status, confirmed.text.slice(0, 500)).toBe(200);
  });
});

describe('an equal name is a warning of calls, for companies and investors', () => {
  const entity = (name: string) => ({ ...ENTITY, name, formalId: name });
  it.each([
    ['/crud/companies', 'borrower', (name: string) => ({ entity: entity(name) })],
    ['/crud/LPs', 'investor', (name: string) => ({ title: name, entity: entity(`${name} Inc`) })],
  ])('%s', async (path, what, bodyOf) => {
    const name = `Equal ${what}`;
    const create = async (text: string) => {
      const { status, json, text: answer } = await tenant.manager.post(path, bodyOf(text));
      expect(status, answer).toBe(201);
      return json;
    };
    const first = await create(name);
    expect(first).not.toHaveProperty('warnings');
    const second = await create(name.toUpperCase());
    expect(second.warnings).toEqual([`There is another ${what} named “${name.toUpperCase()}”.`]);
    // A name that is kept is no news.
    const { id, version } = second;
    const kept = await tenant.manager.call('PUT', `${path}/${id}`, {
      body: { ...bodyOf(name.toUpperCase()), domains: [], version },
    });
    expect([kept.status, 'warnings' in kept.json], kept.text).toEqual([200, false]);
  });
});
