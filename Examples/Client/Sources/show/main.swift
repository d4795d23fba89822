import Airframe
import Users

let client = UsersClient(session: Session(), baseURL: "http://localhost:8001/v1", token: "secret")
print(try await client.user(7).name)
