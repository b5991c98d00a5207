import { type Kysely, type Migration, sql } from 'kysely';

/** What was said about lines of a thread's changes. */
export const reviewCommentRecords: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create table review_comments (
          n integer primary key,
          id text not null,
          thread_id text not null references threads (id),
          file text not null,
          state text not null,
          record text not null
        )`,
      )
      .execute(db);
    await sql.raw('create unique index review_comments_by_id on review_comments (thread_id, id)').execute(db);
    await sql.raw('create index review_comments_of_thread on review_comments (thread_id, n)').execute(db);
  },
};
