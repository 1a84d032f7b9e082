import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { LinkButton } from '../../components/forms/button.tsx';
import type { FormDescription } from '../../components/forms/form-description.ts';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { enteredEntity, partyLabel } from '../../components/organizations/entity-form.ts';
import { InvestorDetails, InvestorFields } from '../../components/organizations/investor-form.tsx';
import { PartyFields } from '../../components/organizations/party-form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { paths } from '../../paths.ts';
import { CompanyFields, ManagerFields, PARTIES } from './parties.tsx';
import { formsAt } from './party-form.server.ts';
import { NEW_PARTY_DESCRIPTIONS, PARTY_EDIT_DESCRIPTIONS, type PartyKind } from './party-schemas.ts';

export const handle = named<typeof loader>(({ kind, stored }) =>
  stored ? [[stored.name, PARTIES[kind].page(stored.id)], 'Edit'] : [`New ${PARTIES[kind].noun}`],
);

export const loader = (args: LoaderFunctionArgs) => formsAt(args.request)[args.params.id ? 'edit' : 'new'](args);

export const action = (args: ActionFunctionArgs) => formsAt(args.request).action(args);

/** The details that only one kind has. */
const DETAILS = {
  company: { names: ['externalCode'], fields: <CompanyFields /> },
  manager: { names: ['endsIdleSessions'], fields: <ManagerFields /> },
  investor: { names: ['groupTitle', 'externalCode'], fields: <InvestorDetails /> },
} as const;

/**
 * The form of a new company, manager or investor, or of a stored one and its entity, if the person may change it. The
 * entity of a new one is new, or one of the register (`?entity=`).
 */
export default function PartyForm() {
  const { kind, stored, entity, editsEntity, groups, fund, ...suggestions } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const party = PARTIES[kind];
  const { id: _, version, ...entityValues } = entity ?? { id: '', version: 0 };
  const ofStored = stored && {
    ...stored.values,
    entityVersion: String(version),
    ...(editsEntity && 'contacts' in entityValues ? { entity: enteredEntity(entityValues) } : {}),
  };
  const ofNew = entity ? { entityId: entity.id, title: 'name' in entityValues ? entityValues.name : '' } : {};
  const descriptions: Readonly<Record<PartyKind, FormDescription>> = stored
    ? PARTY_EDIT_DESCRIPTIONS
    : NEW_PARTY_DESCRIPTIONS;
  const [form] = useScreenForm(kind, descriptions[kind], {
    lastResult: answer?.lastResult,
    defaultValue: ofStored ?? ofNew,
  });
  if (!stored && !entity && !editsEntity) {
    return (
      <EmptyState title={`New ${party.noun}`} action={<LinkButton to={paths.entities()}>Open the register</LinkButton>}>
        Choose an entity of the register to create one. You do not have permission to add an entity.
      </EmptyState>
    );
  }
  const sentBack = stored ? ['partyVersion', 'entityVersion'] : entity ? ['entityId'] : [];
  return (
    <>
      <PageHeader
        title={stored ? `Edit ${stored.name}` : `New ${party.noun}`}
        facts={stored ? (editsEntity ? [] : ['You do not have permission to change its entity']) : [party.facts]}
      />
      <ScreenForm form={form} intent={stored ? 'save' : 'create'} labels={partyLabel} encType="multipart/form-data">
        {sentBack.map((name) => (
          <HiddenField key={name} name={name} />
        ))}
        <PartyFields
          own={groups ? <InvestorFields groups={groups} isNew={!stored} /> : null}
          more={DETAILS[kind]}
          entity={entity}
          editsEntity={stored ? editsEntity : entity === null}
          domainsHint={party.domainsHint}
          {...(stored ? { statusNote: party.statusNote } : {})}
          {...suggestions}
        />
        <FormActions
          submit={stored ? 'Save' : `Create ${party.noun}`}
          submitting={stored ? 'Saving' : 'Creating'}
          cancelTo={stored ? party.page(stored.id) : fund ? paths.newCommitment(fund) : party.list}
        />
      </ScreenForm>
    </>
  );
}
