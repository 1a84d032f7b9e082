/**
 * SQL of the borrowing bases that draws are checked against: the latest version of each, or under a contract that says so the version
 * whose certificate was accepted. A table expression with the columns of `borrowing_bases`.
 */
export const DRAW_BASES = `(
  select * from borrowing_bases where status = 'Active' and contract_id not in (select id from contracts where draws_use_accepted)
  union all
  select accepted.* from contracts c join certifications k on k.contract_id = c.id and k.status = 'Accepted'
    join borrowing_bases accepted on accepted.id = k.base_id and accepted.status <> 'Removed'
  where c.draws_use_accepted)`;
