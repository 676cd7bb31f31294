"""What the contract says of bodies, as types. Made by generate.py from api/openapi.yaml: do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

class AgentEntry(TypedDict):
    """An agent and where it is."""

    name: str
    url: str
    agentCard: str

class AgentCard(TypedDict):
    """An AgentCard of the protocol; the members that are named here are those that clients need to connect."""

    name: str
    description: str
    version: str
    supportedInterfaces: list[dict[str, Any]]
    capabilities: dict[str, Any]
    securitySchemes: dict[str, Any]
    securityRequirements: list[dict[str, Any]]
    defaultInputModes: list[str]
    defaultOutputModes: list[str]
    skills: list[dict[str, Any]]

class AgentRequest(TypedDict):
    """A JSON-RPC request."""

    jsonrpc: Literal["2.0"]
    id: Any
    method: str
    params: NotRequired[dict[str, Any]]

class AgentAnswerError(TypedDict):
    """Why it failed."""

    code: int
    message: str
    data: list[dict[str, Any]]

class AgentAnswer(TypedDict):
    """A JSON-RPC answer, with either `result` or `error`."""

    jsonrpc: Literal["2.0"]
    id: Any
    result: NotRequired[dict[str, Any]]
    error: NotRequired[AgentAnswerError]

AgentParameters = dict[str, Any]
"""Members of the protocol in proto-JSON; those that are not known are ignored."""

class AgentMessageRequestMessage(TypedDict):
    """The message; its first text part is the question."""

    messageId: str
    role: str
    parts: list[dict[str, Any]]
    contextId: NotRequired[str]
    taskId: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]

class AgentMessageRequest(TypedDict):
    """A SendMessageRequest of the protocol."""

    message: AgentMessageRequestMessage
    configuration: NotRequired[dict[str, Any]]

class AgentMessageAnswer(TypedDict):
    """A SendMessageResponse of the protocol."""

    task: AgentTask

class AgentTaskStatus(TypedDict):
    """Where it stands."""

    state: str

class AgentTask(TypedDict):
    """A Task of the protocol."""

    id: str
    contextId: str
    status: AgentTaskStatus
    artifacts: NotRequired[list[dict[str, Any]]]

class AgentTaskList(TypedDict):
    """A ListTasksResponse of the protocol."""

    tasks: list[AgentTask]
    nextPageToken: str
    pageSize: int
    totalSize: int

class AgentEvent(TypedDict):
    """A StreamResponse of the protocol: exactly one of its members is there."""

    task: NotRequired[AgentTask]
    message: NotRequired[dict[str, Any]]
    statusUpdate: NotRequired[dict[str, Any]]
    artifactUpdate: NotRequired[dict[str, Any]]

AgentEventStream = str
"""Server-sent events without a name, whose `data` is an AgentEvent. One named `error` ends a stream that fails."""

class AgentPushConfig(TypedDict):
    """A TaskPushNotificationConfig of the protocol."""

    taskId: NotRequired[str]
    id: NotRequired[str]
    url: str
    token: NotRequired[str]
    authentication: NotRequired[dict[str, Any]]

class AgentPushConfigList(TypedDict):
    """A ListTaskPushNotificationConfigsResponse of the protocol."""

    configs: list[AgentPushConfig]
    nextPageToken: str

class AgentFailureError(TypedDict):
    """Why it failed."""

    code: int
    status: str
    message: str
    details: list[dict[str, Any]]

class AgentFailure(TypedDict):
    """A `google.rpc.Status`."""

    error: AgentFailureError

AgentFailureOrError = Any
"""A failure of the binding, or of the server before the binding is reached."""

class ErrorResponse(TypedDict):
    """What went wrong, for programs and for people."""

    error_code: ErrorCode
    message: str
    error_message: NotRequired[str]
    sub_errors: NotRequired[list[SubError]]

ErrorCode = Literal["INTERNAL", "MALFORMED_JSON", "MALFORMED_PARAMETER", "UNAUTHORIZED", "FORBIDDEN", "READ_ONLY", "NOT_FOUND", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "NAME_TAKEN", "GONE", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "THROTTLED", "BUDGET_SPENT", "QUOTA_EXCEEDED", "VALIDATION_FAILED", "INVALID_QUERY", "UPSTREAM_UNREACHABLE", "UNAVAILABLE", "TIMEOUT", "CANCELLED", "DATA_LOST"]
"""The reason, as a stable name. Names are never renamed or reused; new ones may join, so a client that meets a
name it does not know should go by the status."""

class SubError(TypedDict):
    """One invalid field."""

    code: str
    message: str

class Access(TypedDict):
    """A namespace, or one dataset of it."""

    username: str
    namespace: str
    dataset: NotRequired[str]

class AdminUserPage(TypedDict):
    """Users, by name."""

    users: list[AdminUser]
    nextAfter: NotRequired[str]

class AdminUser(TypedDict):
    """A user as administrators see one."""

    id: str
    username: str
    createdAt: str
    disabled: bool
    admin: bool
    deletingSince: NotRequired[str]
    usage: AdminUsage
    quota: AdminQuota
    limits: AdminQuota

class AdminUsage(TypedDict):
    """What a user uses."""

    bytes: int
    rows: int
    questionsToday: int

class AdminQuota(TypedDict):
    """What a user may use: as `quota` what is said for this user, as `limits` what holds, the limits of the server
    among it. What is absent is not limited, or not said."""

    bytes: NotRequired[int | None]
    rows: NotRequired[int | None]
    questions: NotRequired[int | None]

class AdminUserChange(TypedDict):
    """What changes of a user; what is left out stays."""

    disabled: NotRequired[bool | None]
    admin: NotRequired[bool | None]

class AdminWorkList(TypedDict):
    """Work that has not ended."""

    work: list[AdminWork]

class AdminWork(TypedDict):
    """A run or an ingestion that has not ended, without what it is about."""

    kind: Literal["run", "ingestion"]
    id: str
    userId: str
    username: str
    state: Literal["waiting", "working"]
    attempt: int
    createdAt: str
    bytes: NotRequired[int]
    expectedBytes: NotRequired[int]
    rows: NotRequired[int]

class AdminRetention(TypedDict):
    """How long things are kept."""

    retention: list[AdminKept]

class AdminKept(TypedDict):
    """How long one sort of things is kept."""

    kind: Literal["originals", "runs", "traces", "audit"]
    seconds: int
    source: Literal["settings", "administrator"]

class AdminRetentionChange(TypedDict):
    """How long to keep what, in seconds; 0 is for good, of traces not at all."""

    originals: NotRequired[int | None]
    runs: NotRequired[int | None]
    traces: NotRequired[int | None]
    audit: NotRequired[int | None]

class TokenRequest(TypedDict):
    """The token to make."""

    name: str
    expires_at: NotRequired[str]
    accessRestrictedTo: NotRequired[list[Access]]
    readOnly: NotRequired[bool]
    admin: NotRequired[bool]

class Token(TypedDict):
    """An API token, without its secret."""

    id: str
    name: str
    created_at: str
    expires_at: str
    last_used_at: NotRequired[str]
    accessRestrictedTo: NotRequired[list[Access]]
    readOnly: NotRequired[bool]
    admin: NotRequired[bool]
    resource: NotRequired[str]
    token: str | None

class CreatedToken(TypedDict):
    """A new API token, with its secret."""

    id: str
    name: str
    created_at: str
    expires_at: str
    accessRestrictedTo: NotRequired[list[Access]]
    readOnly: NotRequired[bool]
    admin: NotRequired[bool]
    token: str

class TokenPermissions(TypedDict):
    """What an API token reaches."""

    restricted: bool
    permissions: list[Access]
    readOnly: NotRequired[bool]
    admin: NotRequired[bool]

class SessionList(TypedDict):
    """The browsers and command lines that somebody is signed in with."""

    sessions: list[Session]

class Session(TypedDict):
    """A browser, or a command line, that is signed in."""

    id: str
    client: Literal["quern-console", "quern-cli"]
    userAgent: str
    createdAt: str
    lastSeenAt: str
    expiresAt: str
    current: bool

class CommandLineProvider(TypedDict):
    """Where, and as what, a command line signs in."""

    issuer: str
    clientId: NotRequired[str]
    scope: str
    codeUrl: str

class CurrentUser(TypedDict):
    """Who the request's token acts for."""

    id: str
    username: str
    created_at: str
    restricted: bool
    tokenId: NotRequired[str]
    accessRestrictedTo: NotRequired[list[Access]]
    readOnly: NotRequired[bool]
    admin: NotRequired[bool]

class UsageHistoryMeta(TypedDict):
    """About the page."""

    pageSize: int
    pageCursor: NotRequired[UsageCursor]

class UsageHistory(TypedDict):
    """One page of what was asked."""

    data: list[UsageEvent]
    meta: UsageHistoryMeta

class UsageCursor(TypedDict):
    """Where the next page begins; absent on the last."""

    lastStartTime: str
    lastObservationId: str

class UsageEvent(TypedDict):
    """One request, or one call of a language model."""

    id: str
    timestamp: str
    operation: str
    units: int
    provider: NotRequired[str]
    model: NotRequired[str]
    tokensUsed: int
    costUSD: float

class UsageByDayMeta(TypedDict):
    """About the sums."""

    timeZoneForAggregation: str

class UsageByDay(TypedDict):
    """Usage by day."""

    data: list[UsageSum]
    meta: UsageByDayMeta
    requests: list[UsageDay]
    models: list[ModelUsageDay]

class UsageSum(TypedDict):
    """What language models were asked for on one day, all of them together."""

    date: str
    tokensUsed: int
    costUSD: float

class UsageDay(TypedDict):
    """The requests for one operation on one day."""

    day: str
    operation: str
    requests: int

class ModelUsageDay(TypedDict):
    """What one language model was asked for on one day."""

    day: str
    provider: str
    model: str
    requests: int
    inputTokens: int
    outputTokens: int
    cost: float

Role = Literal["viewer", "editor", "owner"]
"""What somebody is to a namespace or a dataset."""

class DatasetEntry(TypedDict):
    """A dataset in a list."""

    name: str
    namespace: str
    owner: str
    visibility: Literal["Private"]
    role: Role

class NamespaceEntry(TypedDict):
    """A namespace in a list."""

    name: str
    owner: str
    role: NotRequired[Role]

class Knowledge(TypedDict):
    """What is taught about a namespace. Datasets are named as in the namespace, columns as `dataset.column`."""

    words: NotRequired[list[KnowledgeWord]]
    adjectives: NotRequired[list[KnowledgeAdjective]]
    measures: NotRequired[list[KnowledgeMeasure]]
    conditions: NotRequired[list[KnowledgeCondition]]
    datasets: NotRequired[list[KnowledgeDataset]]
    links: NotRequired[list[KnowledgeLink]]
    outOfScope: NotRequired[list[KnowledgeTopic]]
    verified: NotRequired[list[KnowledgeVerified]]
    tests: NotRequired[list[KnowledgeTest]]

class KnowledgeWord(TypedDict):
    """Another word for a dataset, for a column, or for a value of a column."""

    word: str
    means: str
    value: NotRequired[str]

class KnowledgeAdjective(TypedDict):
    """An adjective and the end of a column that it means: the oldest ship has the lowest year."""

    word: str
    opposite: NotRequired[str]
    column: str
    end: Literal["highest", "lowest"]

class KnowledgeMeasure(TypedDict):
    """A value of each row of a dataset that has a name."""

    name: str
    words: NotRequired[list[str]]
    dataset: str
    expression: str
    aggregate: NotRequired[Literal["sum", "avg", "min", "max", "count", "median"]]
    never: NotRequired[list[Literal["sum", "avg", "min", "max", "count", "median"]]]
    unit: NotRequired[str]

class KnowledgeCondition(TypedDict):
    """A condition on the rows of a dataset that has a name."""

    name: str
    words: NotRequired[list[str]]
    dataset: str
    where: str
    always: NotRequired[bool]
    lift: NotRequired[list[str]]

class KnowledgeDataset(TypedDict):
    """What columns of a dataset are for."""

    dataset: str
    time: NotRequired[str]
    label: NotRequired[str]
    unused: NotRequired[list[str]]
    key: NotRequired[str]
    fiscalYear: NotRequired[str]
    fiscalYearNamed: NotRequired[Literal["start", "end"]]
    week: NotRequired[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]

KnowledgeLink = TypedDict(
    "KnowledgeLink",
    {
        "from": 'str',
        "to": 'str',
        "words": NotRequired['list[str]'],
    },
)
"""Two columns whose values belong together, and the words that mean this way."""

class KnowledgeTopic(TypedDict):
    """What questions are not answered about."""

    topic: str
    words: NotRequired[list[str]]
    answer: NotRequired[str]

class KnowledgeVerified(TypedDict):
    """A question in several wordings, whose query somebody vouches for."""

    name: str
    questions: list[str]
    query: str
    parameters: NotRequired[list[KnowledgeParameter]]
    by: NotRequired[str]

class KnowledgeParameter(TypedDict):
    """A value of a verified question that may be another."""

    name: str
    value: str

class KnowledgeTest(TypedDict):
    """A question that measures and never teaches."""

    question: str
    query: NotRequired[str]

class KnowledgeState(TypedDict):
    """What is taught about a namespace, as the caller sees it."""

    version: int
    knowledge: Knowledge
    problems: list[KnowledgeProblem]

class KnowledgeProblem(TypedDict):
    """What is wrong with an entry."""

    entry: str
    message: str

class KnowledgeChange(TypedDict):
    """Entries to add and to remove."""

    merge: NotRequired[Knowledge]
    remove: NotRequired[Knowledge]

class KnowledgeVersion(TypedDict):
    """A version: who made it, when, and what it changed."""

    version: int
    by: str
    at: str
    changes: list[str]

class KnowledgeItem(TypedDict):
    """Something that may be worth teaching."""

    id: str
    kind: Literal["word", "choice", "told"]
    word: NotRequired[str]
    meaning: NotRequired[str]
    action: Literal["addWord", "addVerified", "read"]
    times: int
    at: str
    told: NotRequired[KnowledgeTold]
    proposal: NotRequired[Knowledge]

class KnowledgeTold(TypedDict):
    """What an asker told about an answer, because they wanted to."""

    question: str
    thumbsUp: bool
    comment: NotRequired[str]
    meant: NotRequired[str]
    correctedQuery: NotRequired[str]
    query: NotRequired[str]

class KnowledgeSuggestions(TypedDict):
    """What may be asked and taught."""

    questions: list[SuggestedQuestion]
    definitions: list[SuggestedDefinition]
    proposals: list[SuggestedKnowledge]
    notes: NotRequired[list[str]]

class SuggestedQuestion(TypedDict):
    """A question that has been run."""

    question: str
    query: str
    rows: int

class SuggestedDefinition(TypedDict):
    """A definition that is proposed for a dataset."""

    dataset: str
    by: Literal["rules", "model"]
    definition: InferDefinition

class SuggestedKnowledge(TypedDict):
    """Entries that are proposed."""

    by: Literal["rules", "verified", "model"]
    used: bool
    reason: str
    knowledge: Knowledge

class EvaluationRef(TypedDict):
    """An evaluation."""

    id: str

class Evaluation(TypedDict):
    """How the questions went whose answers are known."""

    id: str
    status: Literal["pending", "processing", "completed", "failed"]
    by: str
    createdAt: str
    endedAt: NotRequired[str]
    message: NotRequired[str]
    total: int
    done: int
    good: int
    bad: int
    review: int
    knowledgeVersion: int
    release: str
    model: str

class EvaluationReport(TypedDict):
    """An evaluation with how every question went."""

    evaluation: Evaluation
    since: NotRequired[EvaluationSince]
    questions: list[EvaluatedQuestion]

class EvaluationSince(TypedDict):
    """What is not as it was in the completed evaluation before."""

    id: str
    changed: list[Literal["knowledge", "data", "release", "model"]]
    broke: list[EvaluatedQuestion]
    mended: list[EvaluatedQuestion]

class EvaluatedQuestion(TypedDict):
    """How a question went."""

    kind: Literal["tests", "verified"]
    entry: str
    question: str
    mark: Literal["good", "bad", "review"]
    reason: NotRequired[str]
    query: NotRequired[str]

class InferDefinition(TypedDict):
    """Guides how extracted data is structured."""

    dataDescription: NotRequired[str]
    schemaDefinition: NotRequired[dict[str, str]]

Row = TypedDict(
    "Row",
    {
        "__metadata": NotRequired['Any'],
    },
)
"""One row; members are columns, but for `__metadata`, in which a row tells of itself."""

class RowMetadata(TypedDict):
    """What a row tells of itself."""

    score: NotRequired[float]
    row: NotRequired[int]
    source: NotRequired[RowSource]

class RowSource(TypedDict):
    """Which file a row was read from, and where in it."""

    file: str
    member: NotRequired[str]
    sheet: NotRequired[str]
    page: NotRequired[int]
    row: int

class IngestRequest(TypedDict):
    """Rows to store, and how."""

    data: list[Row]
    infer: NotRequired[Infer]
    link: NotRequired[LinkOptions]
    curate: NotRequired[bool]
    dataDescription: NotRequired[str]
    schemaDefinition: NotRequired[dict[str, str]]
    additionalInstructions: NotRequired[str]

class Infer(TypedDict):
    """Steps that structure data on their way in, in order. Without any, data are stored as they come."""

    steps: NotRequired[list[InferStep]]

InferStep = Any
"""One step."""

class TableStep(TypedDict):
    """Makes rows of a text: delimited tables, named values, messages, receipts, blocks such as addresses, lines that
    look alike such as those of a log. Columns are brought to the names of the definition by their names, shapes
    and what it says of them. Without a definition the columns that a later `normalise` wants are looked for."""

    type: Literal["table"]
    deriveFrom: str
    additionalInstructions: NotRequired[str]
    helperPrompt: NotRequired[str]
    replaceOriginalColumn: NotRequired[bool]
    model: NotRequired[str]
    provider: NotRequired[str]

class RowsStep(TypedDict):
    """Makes rows of a column that holds JSON (nested, or as a text) or a delimited table as text. Other columns are
    given to every row that is made of theirs."""

    type: Literal["rows"]
    deriveFrom: str

class NormaliseStep(TypedDict):
    """Brings the column names of several sources to the wanted ones; a wanted column that nothing fits is empty.
    Columns that fit none stay as they are."""

    type: Literal["normalise", "normalize"]
    mode: Literal["all-in-one", "field-by-field", "embeddings"]
    targetCols: NotRequired[dict[str, str | None]]
    dataDescription: NotRequired[str]
    helperPrompt: NotRequired[str]
    model: NotRequired[str]
    provider: NotRequired[str]

class ValidateStep(TypedDict):
    """Tells for each row whether it is valid, in `__valid`; why a value is not, its `__metadata_` member tells. What
    values must be is read from their descriptions: a regular expression between slashes or behind the word
    pattern, "between 1 and 5", "at least 0", "one of a, b, c", "5 digits", "required", and what looks like a
    date, an amount, an address. In the mode `regex` only what values look like counts; in `fields` also ranges,
    and whether they are as the others; in `rows` also that none is missing."""

    type: Literal["validate"]
    mode: Literal["regex", "rows", "fields"]
    columns: list[str]
    model: NotRequired[str]
    provider: NotRequired[str]

class ReverseGeoStep(TypedDict):
    """Finds the places that coordinates are in: the city, its country and the country's code, in columns named after
    the one that holds the coordinates. Coordinates further than 50 kilometres from any city that is known get no
    city."""

    type: Literal["reverseGeo"]
    deriveFrom: NotRequired[str]

class NamedEntitiesStep(TypedDict):
    """Finds what texts name: dates, times, amounts, percentages, quantities, addresses of all kinds, codes, people,
    organisations, places. They are listed in the column `entities`."""

    type: Literal["namedEntities"]

class InferRequestCurrentValue(TypedDict):
    """What is there already."""

    description: NotRequired[str]
    schema: NotRequired[dict[str, str]]

class InferRequest(TypedDict):
    """Rows to make a proposal for."""

    sample: list[Row]
    model: NotRequired[str]
    provider: NotRequired[str]
    currentValue: NotRequired[InferRequestCurrentValue]

class InferredSchema(TypedDict):
    """A proposal of what fields are."""

    schema: dict[str, str]

class InferredDescription(TypedDict):
    """A proposal of a description."""

    description: str

class IngestResponse(TypedDict):
    """What was stored."""

    indexed: int

class DatasetDescription(TypedDict):
    """A dataset and what it holds."""

    dataset: DatasetEntry
    metadata: DatasetMetadata

class DatasetMetadata(TypedDict):
    """What a dataset holds."""

    columnNames: list[str]
    rowCount: int
    version: int
    dataDescription: NotRequired[str]
    link: NotRequired[LinkOptions]
    schemaDefinition: NotRequired[dict[str, str]]
    columns: list[ColumnDescription]

class ColumnDescription(TypedDict):
    """A column and what is known of its values."""

    name: str
    type: str
    unit: NotRequired[str]
    nullable: bool
    nulls: int
    distinct: int
    min: NotRequired[str]
    max: NotRequired[str]
    examples: list[str]
    widened: NotRequired[list[Widening]]

class Widening(TypedDict):
    """A type that a column had."""

    type: str
    untilVersion: int

class RowPage(TypedDict):
    """One page of rows."""

    data: list[Row]
    nextCursor: NotRequired[str]
    totalCount: int
    clipped: NotRequired[list[ClippedValue]]

class ClippedValue(TypedDict):
    """A value that is longer than it is shown."""

    row: int
    column: str
    length: int

class Histogram(TypedDict):
    """How the values of a column are spread."""

    column: str
    type: str
    kind: Literal["number", "time", "category", "none"]
    rows: int
    nulls: int
    bins: NotRequired[list[HistogramBin]]
    values: NotRequired[list[HistogramValue]]
    others: NotRequired[HistogramOthers]

HistogramBin = TypedDict(
    "HistogramBin",
    {
        "from": 'Any',
        "to": 'Any',
        "count": 'int',
    },
)
"""A span of values."""

class HistogramValue(TypedDict):
    """A value and how often it is there."""

    value: Any
    count: int

class HistogramOthers(TypedDict):
    """What there was no room for."""

    values: int
    rows: int

class SortOrder(TypedDict):
    """An order of columns."""

    order: list[str]

class QueryRequest(TypedDict):
    """A query, or a question in plain language, and where its unqualified names are looked up. Without either, the
    whole dataset is asked for."""

    username: str
    namespace: str
    dataset: NotRequired[str]
    query: NotRequired[str]
    naturalLanguageQuery: NotRequired[str]
    model: NotRequired[str]
    provider: NotRequired[str]
    conversationId: NotRequired[str]
    explainRequested: NotRequired[bool]
    includeMetadata: NotRequired[bool]

class QueryResponse(TypedDict):
    """The rows of a result."""

    data: list[Row]
    metadata: QueryMetadata
    explainResults: NotRequired[QueryExplanation]
    resultType: NotRequired[Literal["rows", "clarification"]]

class QueryExplanation(TypedDict):
    """How a query was understood and carried out; given when asked for."""

    id: str
    datasetQueriesStat: DatasetQueriesStat
    start: str
    duration: str
    children: list[QueryExplanation]
    reading: NotRequired[str]
    confidence: NotRequired[float]

class DatasetQueriesStat(TypedDict):
    """A dataset that a query read."""

    username: str
    namespace: str
    dataset: str
    resultCount: int

class Clarification(TypedDict):
    """A question back, for a question that could be read in several ways, or that has a word which nothing in the
    data answers to. Choices of the latter leave the word out; there are none when the data cannot answer the
    question at all."""

    question: str
    choices: list[Choice]

class Choice(TypedDict):
    """One reading of an unclear question."""

    label: str
    question: str

class Word(TypedDict):
    """A word of content of a text that was read, and what it was taken for. Its place is counted in characters
    (Unicode code points)."""

    start: int
    end: int
    text: str
    state: WordState
    means: NotRequired[str]
    instead: NotRequired[list[Meaning]]

WordState = Literal["matched", "guessed", "unknown"]
"""`matched`: it names something of the data that was used, is a value of it, or says what to do with it.
`guessed`: it was taken for something that it does not name, or names something that was not used. `unknown`:
nothing answers to it."""

class Meaning(TypedDict):
    """One thing that a word could mean."""

    means: str
    question: str

class QueryMetadata(TypedDict):
    """What is known of a result."""

    count: int
    totalCount: int
    truncated: bool
    executedQuery: str
    originalQuery: str
    startingDataset: NotRequired[str]
    finalDataset: NotRequired[str]
    runId: NotRequired[str]
    conversationId: NotRequired[str]
    clarification: NotRequired[Clarification]
    notes: NotRequired[list[str]]
    words: NotRequired[list[Word]]
    engine: NotRequired[Literal["embedded", "cluster"]]
    doubt: NotRequired[bool]
    chart: NotRequired[Chart]

class Chart(TypedDict):
    """How rows are best drawn, chosen by a rule from the query's groups and aggregates, so that every client draws
    the same."""

    kind: Literal["numbers", "table", "shares", "calendarBars", "line", "bars", "groupedBars", "stackedBars", "heat", "histogram", "scatter", "binnedScatter"]
    x: NotRequired[str]
    y: NotRequired[list[str]]
    series: NotRequired[str]
    unit: NotRequired[str]
    top: NotRequired[int]
    summed: NotRequired[bool]
    reason: str

class AskRequestModels(TypedDict):
    """Models for single stages: making the plan, reading each step as a query, and writing the answer. A stage's
    model stands in the place of `model` and `provider` together; a stage without one is done by those. One that
    is not there is 422."""

    plan: NotRequired[StageModel]
    query: NotRequired[StageModel]
    answer: NotRequired[StageModel]

class AskRequest(TypedDict):
    """A question, of which namespace, and how to answer it."""

    username: str
    namespace: str
    query: str
    conversationId: NotRequired[str]
    helperPrompt: NotRequired[str]
    model: NotRequired[str]
    provider: NotRequired[str]
    models: NotRequired[AskRequestModels]
    webSearch: NotRequired[bool]
    callerContext: NotRequired[dict[str, Any]]

class StageModel(TypedDict):
    """A model."""

    model: NotRequired[str]
    provider: NotRequired[str]

class Answer(TypedDict):
    """What a run has found."""

    runId: str
    conversationId: str
    response: str
    steps: list[AnswerStep]
    clarification: NotRequired[Clarification]
    notes: NotRequired[list[str]]
    doubt: NotRequired[bool]
    words: NotRequired[list[Word]]

class RunShare(TypedDict):
    """A link to an answer."""

    shareId: str
    url: str
    createdAt: str

class SharedAnswer(TypedDict):
    """An answer as those see it who have the link."""

    shareId: str
    question: str
    username: str
    owner: str
    namespace: str
    askedAt: str
    response: str
    notes: NotRequired[list[str]]
    doubt: NotRequired[bool]
    steps: list[AnswerStep]

class AnswerStep(TypedDict):
    """One query on the way to an answer."""

    index: int
    instruction: str
    query: str
    reasoning: str
    data: list[Row]
    truncated: NotRequired[bool]
    totalCount: NotRequired[int]
    notes: NotRequired[list[str]]
    words: NotRequired[list[Word]]
    doubt: NotRequired[bool]
    chart: NotRequired[Chart]
    clarification: NotRequired[Clarification]

RunEvents = str
"""Server-sent events of a run. Each has an `id`, counted from 1, an `event` and, as its `data`, one line of JSON
of the schema that `x-events` names for the event."""

class RunStartedEvent(TypedDict):
    """The first event of a run."""

    runId: str
    conversationId: str

EmptyEvent = dict[str, Any]
"""An event whose name says all."""

class PlanEvent(TypedDict):
    """The steps that should answer the question."""

    steps: list[str]
    reasoning: str

class StepStartedEvent(TypedDict):
    """A step is begun."""

    index: int
    instruction: str

class QueryExecutingEvent(TypedDict):
    """The query of a step is made and run."""

    index: int

class AnswerEvent(TypedDict):
    """The end of a run that has completed."""

    response: str
    clarification: NotRequired[Clarification]
    notes: NotRequired[list[str]]
    doubt: NotRequired[bool]
    words: NotRequired[list[Word]]

class ErrorEvent(TypedDict):
    """The end of a run that has no answer."""

    message: str
    error_code: ErrorCode

class Run(TypedDict):
    """A question on its way to an answer."""

    runId: str
    conversationId: str
    agentKind: Literal["assistant", "nl2ql"]
    question: str
    status: RunStatus
    cancelled: NotRequired[bool]
    canResume: bool
    lastNodeId: NotRequired[str]
    errorMessage: NotRequired[str]
    createdAt: str
    updatedAt: str
    result: NotRequired[Answer]
    feedback: NotRequired[RunFeedback]
    share: NotRequired[RunShare]

RunStatus = Literal["running", "completed", "failed", "expired"]
"""Where a run has got to. All but `running` are final. A run that took longer than it may is `expired`; one that
was cancelled is `failed`, and `cancelled` beside it is true."""

class EndedRun(TypedDict):
    """Why a run cannot go on, and what it gave."""

    error_code: ErrorCode
    message: str
    question: str
    result: NotRequired[Answer]

class ConversationPage(TypedDict):
    """One page of conversations."""

    conversations: list[ConversationEntry]
    nextCursor: NotRequired[str]

class ConversationEntry(TypedDict):
    """A conversation as lists show it."""

    id: str
    title: str
    username: str
    namespace: str
    createdAt: int
    updatedAt: int

class ConversationChange(TypedDict):
    """What to change of a conversation."""

    title: str

class Conversation(TypedDict):
    """Questions that belong together."""

    id: str
    title: str
    username: str
    namespace: str
    turns: list[Turn]
    nextCursor: NotRequired[str]

class Turn(TypedDict):
    """One question of a conversation."""

    runId: str
    question: str
    status: RunStatus
    cancelled: NotRequired[bool]
    errorMessage: NotRequired[str]
    createdAt: str
    result: NotRequired[Answer]

class ModelList(TypedDict):
    """The models that a question may name."""

    models: list[Model]

class Model(TypedDict):
    """A model that a question may name."""

    model: str
    provider: str
    state: Literal["ready", "away"]
    default: bool

class AgentRunFeedbackRequest(TypedDict):
    """What the caller thinks of a run."""

    thumbsUp: bool
    comment: NotRequired[str]
    tellOwner: NotRequired[bool]
    meant: NotRequired[str]
    correctedQuery: NotRequired[str]

class RunFeedback(TypedDict):
    """What the caller thought of a run."""

    thumbsUp: bool
    comment: NotRequired[str]
    givenAt: str

class RatedRun(TypedDict):
    """A run that was rated."""

    runId: str
    conversationId: str
    agentKind: Literal["assistant", "nl2ql"]
    owner: str
    namespace: str
    question: str
    askedAt: str
    queries: list[str]
    feedback: RunFeedback

class RatedRunPage(TypedDict):
    """Rated runs, latest rated first."""

    data: list[RatedRun]
    nextCursor: NotRequired[str]

class RunTrace(TypedDict):
    """What was done in a run."""

    runId: str
    traceId: str
    root: TraceSpan

class TraceSpan(TypedDict):
    """A piece of the work, with those that it consists of."""

    spanId: str
    kind: Literal["run", "plan", "step", "translation", "query", "model", "answer"]
    name: str
    startedAt: str
    endedAt: NotRequired[str]
    offsetMs: float
    durationMs: NotRequired[float]
    error: NotRequired[str]
    input: NotRequired[str]
    output: NotRequired[str]
    attributes: dict[str, Any]
    children: NotRequired[list[TraceSpan]]

class Link(TypedDict):
    """Values of one column are found in another, so that rows of the two datasets belong together."""

    origin: str
    destination: str
    hits: int
    matchType: Literal["ExactMatch", "GeoMatch"]
    distance: NotRequired[float]
    score: float
    cardinality: Literal["many-to-one", "one-to-one", "many-to-many", "one-to-many", "unknown"]
    decision: NotRequired[Literal["added", "removed"]]

LinkList = list[Link]
"""Links, surest first."""

class LinkSearch(TypedDict):
    """What to look for links in, and how."""

    data: NotRequired[list[Row]]
    link: NotRequired[LinkOptions]

class LinkOptionsExactMatch(TypedDict):
    """Values that are equal."""

    minDistinct: NotRequired[float]
    minVariation: NotRequired[float]
    bidirectional: NotRequired[bool]
    targetColumns: NotRequired[list[str]]
    ignorePrivateColumns: NotRequired[bool]

class LinkOptionsGeoMatch(TypedDict):
    """Values that name places close to each other: cities and countries, ISO codes, airports, and coordinates as
    `latitude,longitude`."""

    distance: NotRequired[float]
    distanceUnit: NotRequired[Literal["kilometers", "kilometres", "kilometer", "kilometre", "km", "miles", "mile", "mi", "meters", "metres", "meter", "metre", "m"]]
    minDistinct: NotRequired[float]
    minVariation: NotRequired[float]
    bidirectional: NotRequired[bool]
    targetColumns: NotRequired[list[str]]
    ignorePrivateColumns: NotRequired[bool]

class LinkOptions(TypedDict):
    """Which kinds of links are looked for, each with its settings, or null for their defaults. Exact ones alone when
    none is named."""

    ExactMatch: NotRequired[LinkOptionsExactMatch | None]
    GeoMatch: NotRequired[LinkOptionsGeoMatch | None]

class ColumnRef(TypedDict):
    """A column of a dataset."""

    username: str
    namespace: str
    dataset: str
    columnName: str

class AddLinkRequestOptions(TypedDict):
    """Settings of the comparison; `distance` and `distanceUnit` of places have an effect."""

    distance: NotRequired[float]
    distanceUnit: NotRequired[Literal["kilometers", "kilometres", "kilometer", "kilometre", "km", "miles", "mile", "mi", "meters", "metres", "meter", "metre", "m"]]

AddLinkRequest = TypedDict(
    "AddLinkRequest",
    {
        "from": NotRequired['ColumnRef'],
        "to": NotRequired['ColumnRef'],
        "origin": NotRequired['str'],
        "destination": NotRequired['str'],
        "matchType": NotRequired['Literal["ExactMatch", "GeoMatch"]'],
        "options": NotRequired['AddLinkRequestOptions'],
    },
)
"""A link, its ends named by `from` and `to` or by `origin` and `destination`."""

class LinkEnds(TypedDict):
    """The two ends of a link."""

    origin: str
    destination: str
    matchType: NotRequired[Literal["ExactMatch", "GeoMatch"]]
    distance: NotRequired[float]

class CurateRequest(TypedDict):
    """Which links to pick from."""

    namespace: str
    dataset: NotRequired[str]
    model: NotRequired[str]
    provider: NotRequired[str]
    activate: NotRequired[bool]

class CuratedLinks(TypedDict):
    """The links that were picked."""

    datasetsProcessed: int
    totalSelected: int
    curatedLinks: NotRequired[list[Link]]

class OntologyChange(TypedDict):
    """Links to add and to remove."""

    add: NotRequired[list[LinkEnds]]
    remove: NotRequired[list[LinkEnds]]

class Share(TypedDict):
    """A user's access."""

    username: str
    role: GrantedRole

GrantedRole = Literal["viewer", "editor"]
"""A role that can be granted."""

class ShareRevocation(TypedDict):
    """Whose access to take away."""

    username: str
    role: NotRequired[GrantedRole]

class ShareAudit(TypedDict):
    """One page of changes of rights."""

    data: list[ShareChange]
    nextCursor: NotRequired[str]

class ShareChange(TypedDict):
    """One change of rights."""

    at: str
    actor: str
    username: str
    before: NotRequired[GrantedRole]
    after: NotRequired[GrantedRole]

class FileUploadRequest(TypedDict):
    """Files to send."""

    filesToUpload: list[FileToUpload]

class FileToUpload(TypedDict):
    """A file to send."""

    filename: str
    size: int

class PreparedFileUpload(TypedDict):
    """An upload session with all that is needed to send its files."""

    sessionId: str
    files: list[PreparedFile]

class PreparedFile(TypedDict):
    """Where to send a file's parts."""

    fileId: str
    uploadId: str
    key: str
    filename: str
    partSize: int
    presignedUrls: list[PresignedUrl]

class PresignedUrl(TypedDict):
    """Takes one part by PUT."""

    url: str
    partSize: int

class FileUpload(TypedDict):
    """An upload session."""

    sessionId: str
    sessionStatus: UploadStatus
    createdAt: str
    expiresAt: str
    files: list[FileProgress]

class UploadRequest(TypedDict):
    """A file to upload."""

    filename: str
    size: int

class PreparedUpload(TypedDict):
    """Where to send the parts of a file."""

    uploadId: str
    key: str
    partSize: int
    presignedUrls: list[SizedUrl]

class SizedUrl(TypedDict):
    """Takes one part by PUT."""

    url: str
    size: int

class UploadRef(TypedDict):
    """The upload of one file."""

    uploadId: str
    key: str

class FinishUploadRequest(TypedDict):
    """What was sent of a file."""

    uploadId: str
    key: str
    parts: NotRequired[list[SentPart]]
    name: NotRequired[str]
    infer: NotRequired[Infer]
    link: NotRequired[LinkOptions]
    curate: NotRequired[bool]
    dataDescription: NotRequired[str]
    schemaDefinition: NotRequired[dict[str, str]]
    additionalInstructions: NotRequired[str]
    inferBatchSize: NotRequired[int]

class IngestFilesRequest(TypedDict):
    """Which files to ingest, and how."""

    sessionId: str
    fileIds: NotRequired[list[str]]
    format: NotRequired[Literal["csv", "json", "ndjson", "parquet", "xlsx", "ods", "html", "text", "markdown", "docx", "pdf", "xls", "mail"]]
    onError: NotRequired[Literal["fail", "quarantine"]]
    header: NotRequired[bool]
    mode: NotRequired[Literal["append", "replace"]]
    sameFile: NotRequired[Literal["store", "refuse"]]
    into: NotRequired[Literal["one", "each"]]
    nestedLevels: NotRequired[int]
    lists: NotRequired[dict[str, str]]
    totals: NotRequired[Literal["leave", "keep"]]
    sheet: NotRequired[str]
    columns: NotRequired[dict[str, ColumnOption]]
    pdf: NotRequired[Literal["auto", "pages", "tables"]]
    nullValues: NotRequired[list[str]]
    name: NotRequired[str]
    infer: NotRequired[Infer]
    link: NotRequired[LinkOptions]
    curate: NotRequired[bool]
    dataDescription: NotRequired[str]
    schemaDefinition: NotRequired[dict[str, str]]
    additionalInstructions: NotRequired[str]
    inferBatchSize: NotRequired[int]

class ColumnOption(TypedDict):
    """How a column of a file is to be read."""

    type: NotRequired[Literal["boolean", "integer", "double", "date", "timestamp", "text"]]
    dateOrder: NotRequired[Literal["dmy", "mdy", "ymd"]]
    decimal: NotRequired[Literal[".", ","]]

class IngestPreview(TypedDict):
    """What an ingestion would make of files."""

    complete: bool
    files: list[IngestionFile]
    tables: list[PreviewTable]

class PreviewTable(TypedDict):
    """A table as it would be stored."""

    filename: str
    member: NotRequired[str]
    dataset: NotRequired[str]
    format: str
    detail: NotRequired[str]
    header: bool
    complete: bool
    rows: int
    rejectedRows: int
    rejected: list[RejectedRow]
    columns: list[PreviewColumn]
    sample: list[list[Any]]
    notes: list[str]

class PreviewColumn(TypedDict):
    """A column as it would be stored."""

    original: str
    name: str
    type: str
    unit: NotRequired[str]
    added: bool
    formerType: NotRequired[str]
    misfits: NotRequired[Misfits]

class Misfits(TypedDict):
    """Values that are not of the type that was asked for, or that nearly all values of the column have."""

    type: str
    cells: int
    examples: list[MisfitCell]

class MisfitCell(TypedDict):
    """A value that does not fit."""

    row: int
    line: NotRequired[int]
    text: str

class Originals(TypedDict):
    """The files that a dataset was made of."""

    data: list[Original]

class Original(TypedDict):
    """A file that a dataset was made of, or was to be."""

    fileId: str
    filename: str
    size: int
    ingestionId: str
    createdAt: str
    status: IngestionStatus
    stored: bool

class IngestionRef(TypedDict):
    """An ingestion."""

    id: str

IngestionStatus = Literal["pending", "processing", "completed", "failed"]
"""Where an ingestion has got to; the last two are final. One that was aborted is `failed`, and `aborted` beside
it is true."""

IngestionEvents = str
"""Server-sent events of an ingestion. Each has an `event` and, as its `data`, one line of JSON of the schema
that `x-events` names for the event. The last is `completed` or `failed`."""

class Ingestion(TypedDict):
    """Files on their way into a dataset."""

    id: str
    status: IngestionStatus
    aborted: NotRequired[bool]
    expectedTotalBytes: int
    processedBytes: int
    processedRows: int
    statusMessage: NotRequired[str]
    attributes: IngestionAttributes

class IngestionAttributes(TypedDict):
    """What else is known of an ingestion."""

    owner: str
    namespace: str
    dataset: str
    createdAt: str
    startedAt: NotRequired[str]
    endedAt: NotRequired[str]
    attempt: int
    name: NotRequired[str]
    originalIngestionId: NotRequired[str]
    lastRetryAt: NotRequired[str]
    bytesPerSecond: NotRequired[int]
    files: list[IngestionFile]
    tables: list[IngestedTable]
    rejectedRows: int
    steps: NotRequired[list[StepReport]]
    definition: NotRequired[InferDefinition]
    seenAt: NotRequired[str]

class IngestionFile(TypedDict):
    """A file of an ingestion."""

    fileId: str
    filename: str
    size: int
    sameAs: NotRequired[str]

class StepReport(TypedDict):
    """What one step did."""

    type: str
    rowsIn: int
    rowsOut: int
    unread: int
    notes: list[str]
    model: NotRequired[str]

class IngestedTable(TypedDict):
    """A table that was found in a file."""

    filename: str
    member: NotRequired[str]
    dataset: NotRequired[str]
    format: str
    detail: NotRequired[str]
    rows: int
    rejectedRows: int
    columns: list[IngestedColumn]
    notes: list[str]

class IngestedColumn(TypedDict):
    """A column of a file and the dataset's column that it became."""

    original: str
    name: str
    type: str
    unit: NotRequired[str]
    added: bool

class IngestionPage(TypedDict):
    """Ingestions, newest first."""

    data: list[Ingestion]
    metadata: IngestionPageMetadata

class IngestionPageMetadata(TypedDict):
    """About the page."""

    pageSize: int
    beforeCreatedAt: NotRequired[str]

class RejectedRows(TypedDict):
    """Rows that could not be read."""

    data: list[RejectedRow]

class RejectedRow(TypedDict):
    """A row of a file that could not be read."""

    filename: str
    member: NotRequired[str]
    row: int
    line: NotRequired[int]
    reason: str
    text: NotRequired[str]

UploadStatus = Literal["preparing", "completed", "aborted"]
"""Where a session or a file has got to."""

class FileProgress(TypedDict):
    """How far a file is."""

    fileId: str
    fileStatus: UploadStatus
    uploadId: str
    key: str
    filename: str
    size: int
    partSize: int
    parts: list[ArrivedPart]

class ArrivedPart(TypedDict):
    """A part that has arrived."""

    partNumber: int
    size: int
    etag: str

class RenewRequest(TypedDict):
    """Which parts to get URLs for."""

    partNumbers: NotRequired[list[int]]

class RenewedFile(TypedDict):
    """A file with fresh URLs for some of its parts."""

    fileId: str
    uploadId: str
    key: str
    filename: str
    partSize: int
    presignedUrls: list[NumberedUrl]

class NumberedUrl(TypedDict):
    """Takes one part by PUT."""

    partNumber: int
    url: str
    partSize: int

class FinishRequest(TypedDict):
    """What was sent of a file."""

    uploadId: str
    key: str
    parts: NotRequired[list[SentPart]]

class SentPart(TypedDict):
    """A part that was sent."""

    partNumber: int
    etag: str

class FinishedFile(TypedDict):
    """A finished file and its session."""

    sessionId: str
    sessionStatus: UploadStatus
    fileId: str
    fileStatus: UploadStatus

class AbortedFileUpload(TypedDict):
    """A session that was aborted."""

    sessionId: str
    sessionStatus: UploadStatus

class UploadedFiles(TypedDict):
    """The completed files of an upload session."""

    sessionId: str
    sessionStatus: UploadStatus
    files: list[UploadedFile]

class UploadedFile(TypedDict):
    """A completed file."""

    fileId: str
    filename: str
    s3Bucket: str
    s3Key: str
    fileSize: int
