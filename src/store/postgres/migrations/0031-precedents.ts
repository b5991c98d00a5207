const text = 'text collate "C"';

/** By what prompts find earlier ones, and the rules that people made from answers. */
export const precedentsAndRules: readonly string[] = [
  `alter table prompts add column project ${text}`,
  `alter table prompts add column same_key ${text}`,
  `alter table prompts add column similar_key ${text}`,
  'create index prompts_same on prompts (same_key, n) where same_key is not null',
  'create index prompts_similar on prompts (similar_key, n) where similar_key is not null',
  'create index prompts_of_project on prompts (project, n) where project is not null',
  `create table rules (
    n bigint generated always as identity primary key,
    id ${text} not null unique,
    name ${text} not null,
    version bigint not null,
    state ${text} not null,
    record ${text} not null,
    used bigint not null default 0,
    last_used_at ${text},
    unique (name, version)
  )`,
  "create index rules_on on rules (n) where state = 'on'",
];
