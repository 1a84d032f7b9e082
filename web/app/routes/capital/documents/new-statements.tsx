import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createCapitalAccounts } from '@tapeline/db/operations/capital/statements.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { requireFiles, storeDocuments } from '../../../commands/form-files.server.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { Tabs } from '../../../components/page/tabs.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ChooseFund } from '../choose-fund.tsx';
import { capitalCrumbs } from '../crumbs.ts';
import { type OwnedForm, ownerInCrumbs } from './document-crumbs.ts';
import { computeForm, MAX_UPLOADS, uploadForm } from './document-form.ts';
import { askedOwner, documentsOwner, investorsOfOwner, lastQuarterEnd } from './documents-owner.server.ts';
import { ComputedStatements, type StatementAnswer, UploadedStatements } from './statement-fields.tsx';

const TITLE = 'New capital account statements';

export const handle = capitalCrumbs<OwnedForm>('New statements', 'documents', ownerInCrumbs);

export const loader = readScreen('funds/write', (screen) =>
  screen.db(async (session) => {
    const { owner, choice } = await askedOwner(session, screen);
    const investors = owner ? await investorsOfOwner(session, owner) : [];
    const { url } = screen;
    const isUpload = url.searchParams.get('how') === 'upload';
    const skip = skipOf(url.searchParams);
    return {
      owner,
      choice,
      isUpload,
      investors: isUpload ? investors.slice(skip, skip + MAX_UPLOADS) : investors,
      total: investors.length,
      quarterEnd: lastQuarterEnd(todayOf(session)),
    };
  }),
);

/** One statement that cannot be made refuses all. The reason names the investor, and is shown at the date. */
async function atDate<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isRefusal(error) || !isRefusal(error.cause)) throw error;
    const { message } = error.cause;
    throw new Refusal(error.code, message, { flags: { cutOffDate: message }, cause: error });
  }
}

export const action = act(
  {
    compute: intent({
      permission: 'funds/write',
      schema: computeForm,
      async run({ cutOffDate, whom, investors }, { db, url }) {
        const backTo = await db(async (session) => {
          const owner = await documentsOwner(session, url);
          const chosen = new Set(investors);
          const wanted = (await investorsOfOwner(session, owner)).filter(({ id }) => whom === 'all' || chosen.has(id));
          if (wanted.length === 0) throw new Refusal('badRequest', 'None of these investors has a commitment in force');
          const bodies = wanted.map(({ id, kind }) => ({ ...owner.of, investor: { id, kind }, cutOffDate }));
          await atDate(createCapitalAccounts(session, bodies));
          return owner.draftsAt;
        });
        return redirect(backTo);
      },
    }),
    upload: intent({
      permission: 'funds/write',
      schema: uploadForm,
      async run(form, { db, url }) {
        requireFiles(form);
        const { cutOffDate, files } = form;
        const backTo = await db(async (session) => {
          const owner = await documentsOwner(session, url);
          const known = new Map((await investorsOfOwner(session, owner)).map((one) => [one.id, one]));
          const bodies = files.map(({ field, key, name }) => {
            const investor = known.get(field.replace('file-', ''));
            if (!investor) throw new Refusal('badRequest', 'Reload the page: an investor no longer has a commitment');
            const { id, kind } = investor;
            return { ...owner.of, investor: { id, kind }, cutOffDate, fileMetadata: { key, name } };
          });
          await atDate(createCapitalAccounts(session, bodies));
          return owner.draftsAt;
        });
        return redirect(backTo);
      },
    }),
  },
  {
    maxBytes: 1024 * 1024,
    files: {
      permission: 'funds/write',
      store: (screen) =>
        storeDocuments(screen, { bucket: 'capitalAccounts', typeOf: () => 'application/pdf', most: MAX_UPLOADS }),
    },
  },
);

export default function NewStatements() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as StatementAnswer | undefined;
  const { owner, choice, total, isUpload } = page;
  if (!owner) return choice ? <ChooseFund title={TITLE} choice={choice} backTo={paths.funds()} /> : null;
  const { title, of, backTo } = owner;
  const here = (how?: 'upload') => paths.newStatements({ ...of, how });
  return (
    <>
      <PageHeader title={TITLE} facts={[<b key="fund">{title}</b>]} />
      {total === 0 ? (
        <EmptyState title="No investors yet" action={<LinkButton to={backTo}>Back</LinkButton>}>
          A statement is for an investor with a commitment in force.
        </EmptyState>
      ) : (
        <>
          <Tabs
            label="How the statements are made"
            tabs={[
              { label: 'Computed', to: here(), current: !isUpload },
              { label: 'Uploaded', to: here('upload'), current: isUpload },
            ]}
          />
          {isUpload ? (
            <UploadedStatements page={page} backTo={backTo} answer={answer} />
          ) : (
            <ComputedStatements page={page} backTo={backTo} answer={answer} />
          )}
        </>
      )}
    </>
  );
}
