/**
 * SQL: whether the objects of a generation are kept. Those of the published one are; those of a replaced one as long as
 * a borrowing base that is not removed was calculated from it, so that its certificate can be opened asset by asset.
 * @param g the alias of `tape_generations`
 * @param t the alias of its row in `loan_tapes`
 */
export const isKeptGeneration = (
  g: string,
  t: string,
): string => `(${t}.status = 'Active' and (${g}.status = 'Published'
  or (${g}.status = 'Superseded' and ${g}.manifest -> 'swept' is null and exists (select from borrowing_bases kept_for
    where kept_for.tape_id = ${g}.tape_id and kept_for.generation_id = ${g}.id and kept_for.status <> 'Removed'))))`;
