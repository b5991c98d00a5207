import * as z from 'zod';
import { requestObject } from './request-object.js';

const ipv4 = z.union([z.ipv4(), z.cidrv4()]);
const ipv6 = z.union([z.ipv6(), z.cidrv6()]);

/** A proxy that signs people in: which header names them, and from which addresses it is believed. */
export const ProxyUsers = requestObject({
  // Never a header that says something else to this server.
  header: z
    .string()
    .regex(/^(?!(host|origin|authorization|cookie|content-.*|sec-.*)$)[A-Za-z][A-Za-z0-9-]{0,63}$/i),
  from: z
    .array(z.union([ipv4, ipv6]))
    .min(1)
    .max(100),
});
export type ProxyUsers = z.infer<typeof ProxyUsers>;
