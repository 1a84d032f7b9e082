import type { SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { LinkButton } from '../forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../forms/screen-form.tsx';
import { EmptyState } from '../page/empty-state.tsx';
import { PageHeader } from '../page/page-header.tsx';
import { partyLabel } from './entity-form.ts';
import type { ShownEntity } from './organization-page.server.ts';
import { HiddenField, PartyFields } from './party-form.tsx';

type Answer = { lastResult: SubmissionResult<string[]> } | undefined;

interface Common {
  /** The singular noun: "company". */
  noun: string;
  facts: string;
  schema: z.ZodObject;
  answer: Answer;
  /** Fields that only this kind of organization has. */
  own?: ReactNode;
  domainsHint: string;
  /** Where "Cancel" leads. */
  cancelTo: string;
  categories: readonly string[];
  /** What the form suggests: the option list of the manager. */
  industries: readonly string[];
  today: string;
}

/** The page of a new company, manager or investor. The entity is new, or one of the register (`?entity=`). */
export function NewParty({
  noun,
  facts,
  schema,
  answer,
  own,
  domainsHint,
  cancelTo,
  categories,
  industries,
  today,
  entity,
  mayCreateEntity,
  registerTo,
}: Common & {
  entity: ShownEntity | null;
  mayCreateEntity: boolean;
  /** The register, for people who cannot add to it. */
  registerTo: string;
}) {
  const [form] = useScreenForm(noun, schema, {
    lastResult: answer?.lastResult,
    defaultValue: entity ? { entityId: entity.id, title: entity.name } : {},
  });
  const title = `New ${noun}`;
  if (!entity && !mayCreateEntity) {
    return (
      <EmptyState title={title} action={<LinkButton to={registerTo}>Open the register</LinkButton>}>
        Choose an entity of the register to create one. You do not have permission to add an entity.
      </EmptyState>
    );
  }
  return (
    <>
      <PageHeader title={title} facts={[facts]} />
      <ScreenForm form={form} intent="create" labels={partyLabel} encType="multipart/form-data">
        {entity ? <HiddenField name="entityId" /> : null}
        <PartyFields
          own={own}
          entity={entity}
          editsEntity={entity === null}
          categories={categories}
          industries={industries}
          today={today}
          domainsHint={domainsHint}
        />
        <FormActions submit={`Create ${noun}`} submitting="Creating">
          <LinkButton to={cancelTo} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

/** The page that changes a company, manager or investor, and its entity if the person may change it. */
export function EditParty({
  noun,
  name,
  schema,
  answer,
  own,
  domainsHint,
  statusNote,
  cancelTo,
  categories,
  industries,
  today,
  entity,
  editsEntity,
  values,
}: Omit<Common, 'facts'> & {
  name: string;
  statusNote: string;
  entity: ShownEntity;
  editsEntity: boolean;
  values: Readonly<Record<string, unknown>>;
}) {
  const { id: _, version, ...entityValues } = entity;
  const [form] = useScreenForm(noun, schema, {
    lastResult: answer?.lastResult,
    defaultValue: { ...values, entityVersion: String(version), ...(editsEntity ? { entity: entityValues } : {}) },
  });
  return (
    <>
      <PageHeader
        title={`Edit ${name}`}
        facts={editsEntity ? [] : ['You do not have permission to change its entity']}
      />
      <ScreenForm form={form} intent="save" labels={partyLabel} encType="multipart/form-data">
        <HiddenField name="partyVersion" />
        <HiddenField name="entityVersion" />
        <PartyFields
          own={own}
          entity={entity}
          editsEntity={editsEntity}
          categories={categories}
          industries={industries}
          today={today}
          domainsHint={domainsHint}
          statusNote={statusNote}
        />
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={cancelTo} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}
