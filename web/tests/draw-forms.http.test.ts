import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type DrawnNote, drawBody, drawnNote } from './drawn-note.ts';
import { fieldsOf, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let note: DrawnNote;
let borrower: ScreenClient;
let manager: ScreenClient;
beforeAll(async () => {
  note = await drawnNote(tenant.manager, '40000000');
  borrower = await screensOf(tenant.emails.borrower);
  manager = await screensOf(tenant.emails.manager);
});

const form = (sum: string, more: Record<string, string> = {}) => ({
  intent: 'request',
  note: note.noteId,
  cutOffDate: '2027-03-02',
  dueDate: '2027-03-09',
  'lines[0].type': 'Regular',
  'lines[0].sum': sum,
  'lines[0].currency': 'USD',
  description: 'Completions of March',
  ...more,
});

it('a plain form requests a draw beyond a limit, and plain forms skip the exception and approve it', async () => {
  const empty = await borrower.submit(paths.newDraw(), form(''));
  expect(empty.status).toBe(422);
  expect(empty.text).toContain('At least 1 draw type should be filled');
  expect(empty.text).toContain('Completions of March');

  const tried = await borrower.submit(paths.newDraw(), { ...form('10500000'), otherIntent: 'check' });
  expect(tried.status).toBe(200);
  expect(tried.text).toMatch(/Exceeded[\s\S]*29,500,000\.00|29,500,000\.00[\s\S]*Exceeded/);

  const sent = await borrower.submit(paths.newDraw(), form('10500000'));
  expect(sent.status).toBe(302);
  const path = sent.headers.get('location') ?? '';
  const id = path.split('/').at(-1) ?? '';
  const asked = await borrower.get(path);
  expect(asked.text).toContain('exceeded by 500,000.00');
  expect(asked.text).not.toContain('Skip with this reason');

  const current = async () => (await tenant.manager.get(`/crud/transactionDraws/${id}`)).json;
  const act = async (client: ScreenClient, fields: Record<string, string>) =>
    client.submit(path, { drawVersion: String((await current()).version), ...fields });
  const unreasoned = await act(manager, { intent: 'skip', index: '0', reason: ' ' });
  expect(unreasoned.status).toBe(422);
  expect((await act(borrower, { intent: 'skip', index: '0', reason: 'Please' })).status).toBe(403);
  expect((await act(manager, { intent: 'approve', confirmed: 'yes' })).status).toBe(422);
  expect((await act(manager, { intent: 'skip', index: '0', reason: 'Agreed by the committee' })).status).toBe(200);
  expect((await manager.get(path)).text).toContain('Agreed by the committee');
  expect((await act(manager, { intent: 'undo', index: '0' })).status).toBe(200);
  expect((await current()).exceptions[0].status).toBe('Pending');
  expect((await act(manager, { intent: 'skip', index: '0', reason: 'Agreed again' })).status).toBe(200);
  expect((await act(borrower, { intent: 'approve', confirmed: 'yes' })).status).toBe(403);
  const question = await act(manager, { intent: 'approve' });
  expect([question.status, question.headers.get('location')]).toEqual([
    302,
    expect.stringContaining('confirm=approve'),
  ]);
  expect((await act(manager, { intent: 'approve', confirmed: 'yes' })).status).toBe(302);
  expect(await current()).toMatchObject({
    status: 'Approved',
    exceptions: [{ status: 'Skipped', reason: 'Agreed again' }],
  });
  const decided = await borrower.get(path);
  expect(decided.text).toContain('Agreed again');
  expect(decided.text).toContain('29,500,000.00');
  expect((await borrower.get(paths.newDraw())).text).toContain('10,500,000.00');
});

it('a request is changed, rejected with a reason and removed', async () => {
  const { id } = (
    await tenant.manager.post(
      '/crud/transactionDraws',
      drawBody(note, 300_000, { cutOffDate: '2027-04-02', dueDate: '2027-04-09' }),
    )
  ).json;
  const version = async () => String((await tenant.manager.get(`/crud/transactionDraws/${id}`)).json.version);
  const edit = await borrower.get(paths.editDraw(id));
  expect(edit.text).toContain('value="300000"');
  const opened = await version();
  const change = (sum: string) =>
    borrower.submit(
      paths.editDraw(id),
      form(sum, { intent: 'change', drawVersion: opened, cutOffDate: '2027-04-02', dueDate: '2027-04-10' }),
    );
  const changed = await change('350000');
  expect([changed.status, changed.headers.get('location')]).toEqual([302, paths.draw(id)]);
  // Another page was opened before that. A mistake on it does not make its version that of today.
  const mistaken = await change('350.000,x');
  expect([mistaken.status, fieldsOf(mistaken, 'drawVersion').drawVersion]).toEqual([422, opened]);
  const tooLate = await change('360000');
  expect(tooLate.text).toContain('Save again to replace their change');
  expect([tooLate.status, fieldsOf(tooLate, 'drawVersion').drawVersion]).toEqual([422, await version()]);
  const reject = await manager.get(paths.draw(id, { confirm: 'reject' }));
  expect(reject.text).toContain('Reject the draw');
  const drawVersion = await version();
  expect((await manager.submit(paths.draw(id), { intent: 'reject', drawVersion, rejectionMessage: '' })).status).toBe(
    422,
  );
  const rejected = await manager.submit(paths.draw(id), {
    intent: 'reject',
    drawVersion,
    rejectionMessage: 'Late tape',
  });
  expect(rejected.status).toBe(302);
  expect((await borrower.get(paths.draw(id))).text).toContain('Late tape');
  const list = await manager.get(paths.draws({ status: 'Rejected', note: note.noteId }));
  expect(list.text).toContain('1 draw request');
  const transaction = await borrower.get(paths.transaction(note.transaction, { view: 'draws' }));
  expect(transaction.text).toContain(paths.draw(id));
  const removed = await manager.submit(paths.draw(id), { intent: 'remove', drawVersion: await version() });
  expect([removed.status, removed.headers.get('location')]).toEqual([302, paths.draws()]);
  expect((await manager.get(paths.draw(id))).status).toBe(404);
});
