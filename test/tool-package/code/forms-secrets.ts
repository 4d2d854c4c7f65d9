/** Ways to do what `code/secret` is for: each is found. */
import type { Form } from './form.ts';

export const FORMS: readonly Form[] = [
  {
    label: 'hex token',
    permissions: {},
    body: 'return CONFIG',
    top: "const CONFIG={demo:{token:'3b580e70970c4528da70c98e097c2f00'}}",
  },
  {
    label: 'basic auth header',
    permissions: {},
    body: 'return h',
    top: "const h={authorization:'Basic c3ZjX3JlcG9ydDpIOWpRMnhMN3ZQMG1adA=='}",
  },
  {
    label: 'bearer header',
    permissions: {},
    body: 'return h',
    top: "const h={Authorization:'Bearer 9fK2mQx7Lp0ZtVb4Rw8Yc3Nd6Hs1Jg5A'}",
  },
  {
    label: 'jwt',
    permissions: {},
    body: 'return h',
    top: "const h='eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI4NDIxNzM2NSIsInJvbGUiOiJhZG1pbiJ9.q7Xv2LkT9bWm4ZsR8cYh1NdJf6PgU3oEa0tKxB5iVwM'",
  },
  {
    label: 'url token query',
    permissions: {},
    body: 'return u',
    top: "const u='https://a.example/v1?api_key=9fK2mQx7Lp0ZtVb4Rw8Yc3Nd6Hs1Jg5A'",
  },
  {
    label: 'b64 key',
    permissions: {},
    body: "return Buffer.from('c2stYW50LWFwaTAzLWtqc2RoZmtqc2hka2ZqaHNrZGpmaEtKSDg3MzJoa2poZjkyMzg0aGtqaA==','base64').toString()",
  },
  {
    label: 'template key',
    permissions: {},
    body: "return `${'gh'}${'p_'}aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5`",
  },
];
