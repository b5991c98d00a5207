/** What became of one try to deliver a notification; `why` is the end of a sentence, without any address or secret. */
export type DeliveryResult =
  | { readonly sent: true }
  | {
      readonly sent: false;
      readonly why: string;
      /** Nothing will change by trying again. */
      readonly final?: true;
      /** The receiver's own wish. */
      readonly retryAfterMs?: number;
    };
