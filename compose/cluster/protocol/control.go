package protocol

import (
	"encoding/json"
	"errors"
	"fmt"

	"analyzer/columnar/frame"
)

// Request is one request to a worker. The comments of some fields name their actions.
type Request struct {
	ID      uint64          `json:"id"`      // of the sender, to match the response
	ReplyTo string          `json:"replyTo"` // queue; "" for no response
	Action  Action          `json:"action"`
	Job     JobID           `json:"job"`             // list: after which to go on
	Owner   string          `json:"owner,omitempty"` // list: whose jobs
	Spec    json.RawMessage `json:"spec,omitempty"`  // open
	Node    int             `json:"node,omitempty"`  // keys: of the join
	Query   string          `json:"query,omitempty"` // page
	Page    int             `json:"page,omitempty"`  // page
	Reason  string          `json:"reason,omitempty"`
	Read    *TableRead      `json:"read,omitempty"` // read
	Note    *Note           `json:"note,omitempty"` // note
	From    int             `json:"from,omitempty"`
	All     bool            `json:"all,omitempty"` // clean: also delete the queues of all replicas
	// Onlooker says, with status and page, that the sender is not the job's client.
	Onlooker bool `json:"onlooker,omitempty"`
	// Nodes is that of JobRequest.
	Nodes bool `json:"nodes,omitempty"`
}

// Response is a worker's answer. Code is "" on success.
type Response struct {
	ID      uint64         `json:"id"`
	Replica int            `json:"replica"`
	Speaks  int            `json:"speaks,omitempty"` // the newest version of the protocol; see Spoken
	Code    Code           `json:"code,omitempty"`
	Error   string         `json:"error,omitempty"` // for people, with Code
	Cause   Cause          `json:"cause,omitempty"` // with the code JobFailed
	Status  *Status        `json:"status,omitempty"`
	Jobs    []Status       `json:"jobs,omitempty"`    // list: in brief
	More    bool           `json:"more,omitempty"`    // list: there are further jobs
	Partial bool           `json:"partial,omitempty"` // list: not all jobs have been taken up yet
	Owner   string         `json:"owner,omitempty"`   // of a job that has ended or failed, if known
	Ready   bool           `json:"ready,omitempty"`   // keys, page: available
	TooMany bool           `json:"tooMany,omitempty"` // keys: there is no filter
	Reach   map[int]uint64 `json:"reach,omitempty"`   // reach: batches by scan
	Note    *Note          `json:"note,omitempty"`    // note: the current one
	Pages   int            `json:"pages,omitempty"`   // page: how many the answer has
	Memory  int64          `json:"memory,omitempty"`  // open: bytes that operators may hold; 0: no limit
	// Data is the body of a page, the keys as little-endian words, or the JSON of
	// a spec. It travels outside the JSON.
	Data []byte `json:"-"`
}

const maxControl = 16 << 20

// EncodeRequest encodes a request as a message body.
func EncodeRequest(r *Request) ([]byte, error) { return encode(r) }

// DecodeRequest reads a request.
func DecodeRequest(body []byte) (*Request, error) {
	r := new(Request)
	return r, decode(body, r, nil)
}

// EncodeResponse encodes a response as a message body.
func EncodeResponse(r *Response) ([]byte, error) {
	text, err := encode(r)
	return frame.Append(text, r.Data), err
}

// DecodeResponse reads a response; its Data borrows body.
func DecodeResponse(body []byte) (*Response, error) {
	r := new(Response)
	return r, decode(body, r, &r.Data)
}

func encode(message any) ([]byte, error) {
	text, err := json.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("protocol: %w", err)
	}
	return frame.Append(nil, text), nil
}

// decode decodes a message, and the data that follows it; data is nil if there may be
// none.
func decode(body []byte, message any, data *[]byte) error {
	text, rest, err := frame.Decode(body, maxControl)
	if err == nil {
		err = json.Unmarshal(text, message)
	}
	if err == nil && data != nil {
		*data, rest, err = frame.Decode(rest, maxControl)
	}
	if err == nil && len(rest) > 0 {
		err = errors.New("bytes after it")
	}
	if err != nil {
		return fmt.Errorf("protocol: read a %T: %w", message, err)
	}
	return nil
}

// ControlQueue returns the name of a worker's control queue.
func ControlQueue(replica int) string { return fmt.Sprintf("analyzer.control.%d", replica) }
